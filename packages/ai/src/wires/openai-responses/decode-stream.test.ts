// Calls and text as they arrive, in the many ways in which hosts send them.

import { describe, expect, test } from "bun:test";
import { messageOf } from "../wire-test-support.ts";
import {
  about,
  added,
  call,
  completed,
  done,
  eventsOf,
  incomplete,
  message,
  opaque,
  read,
  type Event,
} from "./scripted-events.ts";

describe("function calls", () => {
  const argumentsDelta = (at: number, delta: string): Event =>
    about("function_call_arguments.delta", at, { delta });

  test("have both ids, and assemble where their deltas are interleaved", () => {
    const reply = read(
      added(0, call(1)),
      added(1, call(2)),
      argumentsDelta(1, '{"n"'),
      argumentsDelta(0, '{"n":1'),
      argumentsDelta(1, ":2}"),
      argumentsDelta(0, "}"),
      done(1, call(2, { arguments: '{"n":2}' })),
      done(0, call(1, { arguments: '{"n":1}' })),
      completed(),
    );
    expect(reply.stopReason).toBe("toolUse");
    expect(reply.content).toEqual([
      { type: "toolCall", id: "call_1|fc_1", name: "read", arguments: { n: 1 } },
      { type: "toolCall", id: "call_2|fc_2", name: "read", arguments: { n: 2 } },
    ]);
  });

  test("work where only the closing events come, any one of them", () => {
    const whole = '{"n":1}';
    const expected = [{ id: "call_1|fc_1", arguments: { n: 1 } }];
    const argumentsDone = about("function_call_arguments.done", 0, { arguments: whole });
    const item = call(1, { arguments: whole });
    expect(read(added(0, call(1)), argumentsDone, completed()).content).toMatchObject(expected);
    expect(read(done(0, item), completed()).content).toMatchObject(expected);
    expect(read(completed({ output: [item] })).content).toMatchObject(expected);
    const all = eventsOf(
      added(0, call(1)),
      argumentsDone,
      done(0, item),
      completed({ output: [item] }),
    );
    expect(messageOf(all).content).toMatchObject(expected);
    expect(all.filter(({ type }) => type === "toolcall_delta")).toHaveLength(1);
  });

  test("may have their arguments as an object", () => {
    const reply = read(done(0, call(1, { arguments: { n: 1 } })), completed());
    expect(reply.content).toMatchObject([{ arguments: { n: 1 } }]);
  });

  test("that are cut off can never run, whatever the host still says about them", () => {
    const half = [added(0, call(1)), argumentsDelta(0, '{"n')];
    const limit = incomplete("max_output_tokens");
    expect(read(...half, limit)).toMatchObject({
      stopReason: "length",
      content: [{ arguments: {}, malformed: '{"n' }],
    });
    const item = call(1, { status: "incomplete" });
    expect(read(added(0, call(1)), done(0, item), limit).content).toMatchObject([
      { malformed: "" },
    ]);
    expect(read(...half)).toMatchObject({
      error: { kind: "protocol" },
      content: [{ malformed: '{"n' }],
    });
  });

  test("of hosts without output indexes go by item id", () => {
    const { output_index: _a, ...first } = added(0, call(1));
    const { output_index: _b, ...second } = added(1, call(2));
    const args = (item_id: string, text: string): Event => ({
      type: "response.function_call_arguments.done",
      item_id,
      arguments: text,
    });
    const reply = read(
      first as Event,
      second as Event,
      args("fc_1", '{"n":1}'),
      args("fc_2", '{"n":2}'),
      completed(),
    );
    expect(reply.content).toMatchObject([{ arguments: { n: 1 } }, { arguments: { n: 2 } }]);
  });
});

describe("text", () => {
  test("streams, keeps its item id and phase, and is told once", () => {
    const part = { type: "output_text", text: "Hello", annotations: [] };
    const events = eventsOf(
      added(0, message("", { content: [] })),
      about("content_part.added", 0, { content_index: 0, part: { ...part, text: "" } }),
      about("output_text.delta", 0, { content_index: 0, delta: "Hel" }),
      about("output_text.delta", 0, { content_index: 0, delta: "lo" }),
      about("output_text.done", 0, { content_index: 0, text: "Hello" }),
      about("content_part.done", 0, { content_index: 0, part }),
      done(0, message("Hello", { phase: "final_answer" })),
      completed({ output: [message("Hello")] }),
    );
    expect(messageOf(events)).toMatchObject({ stopReason: "stop", responseId: "resp_1" });
    expect(messageOf(events).content).toEqual([
      { type: "text", text: "Hello", opaque: opaque({ id: "msg_1", phase: "final_answer" }) },
    ]);
    const deltas = events.flatMap((event) => ("delta" in event ? [event.delta] : []));
    expect(deltas).toEqual(["Hel", "lo"]);
  });

  test("works where only a closing event comes", () => {
    const parts = [
      about("output_text.done", 0, { content_index: 0, text: "a" }),
      about("content_part.done", 0, { content_index: 0, part: { type: "output_text", text: "a" } }),
      done(0, message("a")),
    ];
    for (const event of parts)
      expect(
        read(added(0, message("", { content: [] })), event, completed()).content,
      ).toMatchObject([{ type: "text", text: "a" }]);
    expect(read(completed({ output: [message("a")] })).content).toMatchObject([{ text: "a" }]);
  });

  test("parts of one message are blocks of one id; a refusal is a part", () => {
    const content = [
      { type: "output_text", text: "a" },
      { type: "refusal", refusal: "no" },
    ];
    const reply = read(
      added(0, message("", { content: [] })),
      about("output_text.delta", 0, { content_index: 0, delta: "a" }),
      about("refusal.delta", 0, { content_index: 1, delta: "n" }),
      about("refusal.done", 0, { content_index: 1, refusal: "no" }),
      done(0, message("", { content })),
      completed(),
    );
    expect(reply.content.map((block) => "text" in block && block.text)).toEqual(["a", "no"]);
    expect(reply.content.map(({ opaque: kept }) => kept?.data)).toEqual(
      Array(2).fill(JSON.stringify({ id: "msg_1" })),
    );
  });

  test("an empty part is no block", () => {
    const part = { type: "output_text", text: "" };
    const reply = read(
      added(0, message("", { content: [] })),
      about("content_part.added", 0, { content_index: 0, part }),
      about("output_text.done", 0, { content_index: 0, text: "" }),
      done(0, message("")),
      completed(),
    );
    expect(reply.content).toEqual([]);
  });
});
