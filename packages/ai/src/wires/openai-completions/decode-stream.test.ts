// Replies as they arrive, in the many ways in which hosts of this wire send them.

import { describe, expect, test } from "bun:test";
import type { AssistantMessage } from "../../message.ts";
import { encodeSse } from "../../sse.ts";
import { decodePieces, decodeWhole, messageOf } from "../wire-test-support.ts";
import { client } from "./client.ts";

const ORIGIN = { provider: "p", model: "m", wire: "openai-completions" } as const;

const frame = (body: unknown): string => encodeSse(JSON.stringify(body));
const delta = (fields: unknown, finish: string | null = null): string =>
  frame({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
const callDelta = (...calls: unknown[]): string => delta({ tool_calls: calls });
const DONE = encodeSse("[DONE]");

function read(...frames: string[]): AssistantMessage {
  return messageOf(decodePieces(client, [new TextEncoder().encode(frames.join(""))], ORIGIN));
}

/** The calls of a reply made of these deltas, as [id, name, arguments]. */
function callsOf(...frames: string[]): unknown[] {
  const { content } = read(...frames, delta({}, "tool_calls"), DONE);
  return content.map((block) =>
    block.type === "toolCall" ? [block.id, block.name, block.malformed ?? block.arguments] : block,
  );
}

describe("tool calls", () => {
  const two = [
    ["a", "x", { n: 1 }],
    ["b", "y", { n: 2 }],
  ];

  test("whose deltas are interleaved assemble by index", () => {
    expect(
      callsOf(
        callDelta({ index: 0, id: "a", function: { name: "x", arguments: "" } }),
        callDelta({ index: 1, id: "b", function: { name: "y", arguments: '{"n"' } }),
        callDelta({ index: 0, function: { arguments: '{"n":' } }),
        callDelta(
          { index: 1, function: { arguments: ":2}" } },
          { index: 0, function: { arguments: "1}" } },
        ),
      ),
    ).toEqual(two);
  });

  test("that all have the index 0 are told apart by their ids", () => {
    expect(
      callsOf(
        callDelta({ index: 0, id: "a", function: { name: "x", arguments: '{"n":1}' } }),
        callDelta({ index: 0, id: "b", function: { name: "y", arguments: '{"n"' } }),
        callDelta({ index: 0, function: { arguments: ":2}" } }),
      ),
    ).toEqual(two);
  });

  test("that all have the index 0 and are interleaved still go by their ids", () => {
    expect(
      callsOf(
        callDelta({ index: 0, id: "a", function: { name: "x" } }),
        callDelta({ index: 0, id: "b", function: { name: "y" } }),
        callDelta({ index: 0, id: "a", function: { arguments: '{"n":1}' } }),
        callDelta({ index: 0, id: "b", function: { arguments: '{"n":2}' } }),
      ),
    ).toEqual(two);
  });

  test("with id and name repeated in each delta are one call", () => {
    const again = (text: string) =>
      callDelta({ index: 0, id: "a", function: { name: "x", arguments: text } });
    expect(callsOf(again('{"n"'), again(":1"), again("}"))).toEqual([["a", "x", { n: 1 }]]);
  });

  test("with a new id in each delta but no name are one call", () => {
    expect(
      callsOf(
        callDelta({ index: 0, id: "a", function: { name: "x", arguments: '{"n"' } }),
        callDelta({ index: 0, id: "other", function: { arguments: ":1}" } }),
      ),
    ).toEqual([["a", "x", { n: 1 }]]);
  });

  test("without ids are told apart by their names, and get an id each", () => {
    const calls = callsOf(
      callDelta({ index: 0, id: "", function: { name: "x", arguments: '{"n":1}' } }),
      callDelta({ index: 0, function: { name: "y", arguments: '{"n":2}' } }),
    ) as string[][];
    expect(calls.map(([, name, args]) => [name, args])).toEqual([
      ["x", { n: 1 }],
      ["y", { n: 2 }],
    ] as never);
    expect(new Set(calls.map(([id]) => id)).size).toBe(2);
    for (const [id] of calls) expect(id).toMatch(/^call_[0-9a-f]{24}$/);
  });

  test("of one id at two indexes are two calls", () => {
    expect(
      callsOf(
        callDelta({ index: 0, id: "a", function: { name: "x", arguments: '{"n"' } }),
        callDelta({ index: 1, id: "a", function: { name: "y", arguments: '{"n":2' } }),
        callDelta({ index: 0, id: "a", function: { arguments: ":1}" } }),
        callDelta({ index: 1, id: "a", function: { arguments: "}" } }),
      ),
    ).toEqual([
      ["a", "x", { n: 1 }],
      ["a", "y", { n: 2 }],
    ]);
  });

  test("may have their arguments as an object", () => {
    expect(
      callsOf(callDelta({ index: 0, id: "a", function: { name: "x", arguments: { n: 1 } } })),
    ).toEqual([["a", "x", { n: 1 }]]);
  });

  test("without an index go by their place", () => {
    const at = (id: string, name: string, n: number) => ({
      id,
      function: { name, arguments: JSON.stringify({ n }) },
    });
    expect(callsOf(callDelta(at("a", "x", 1), at("b", "y", 2)))).toEqual(two);
  });

  test("cut off by the limit are not executable, even before their first argument", () => {
    const start = callDelta({ index: 0, id: "a", function: { name: "x", arguments: "" } });
    const message = read(start, delta({}, "length"), DONE);
    expect(message).toMatchObject({ stopReason: "length", content: [{ malformed: "" }] });
  });
});

describe("prose", () => {
  test("thinking comes under any of the names, text follows in a block of its own", () => {
    for (const field of ["reasoning_content", "reasoning", "reasoning_text"]) {
      const message = read(
        delta({ [field]: "hm" }),
        delta({ [field]: "m", content: "" }),
        delta({ content: "so" }),
        delta({}, "stop"),
        DONE,
      );
      expect(message.content).toEqual([
        { type: "thinking", text: "hmm" },
        { type: "text", text: "so" },
      ]);
    }
  });

  test("content may be a list of thinking and text", () => {
    const thinking = [{ type: "text", text: "hm" }];
    const message = read(
      delta({ content: [{ type: "thinking", thinking }] }),
      delta({ content: [{ type: "text", text: "so" }] }, "stop"),
      DONE,
    );
    expect(message.content).toEqual([
      { type: "thinking", text: "hm" },
      { type: "text", text: "so" },
    ]);
  });

  test("a refusal is shown, also beside empty content", () => {
    const message = read(delta({ content: "", refusal: "I will not." }), delta({}, "stop"), DONE);
    expect(message.content).toEqual([{ type: "text", text: "I will not." }]);
  });
});

describe("the end", () => {
  test("is what the finish reason says", () => {
    expect(read(delta({ content: "a" }, "stop"), DONE).stopReason).toBe("stop");
    expect(read(delta({ content: "a" }, "length"), DONE).stopReason).toBe("length");
    expect(read(delta({ content: "a" }), DONE).stopReason).toBe("stop");
    const filtered = read(delta({ content: "a" }, "content_filter"), DONE);
    expect(filtered.error).toMatchObject({ kind: "content_filter", retryable: false });
    expect(read(delta({}, "error"), DONE).error).toMatchObject({ kind: "overloaded" });
  });

  test("may be the end of the body where a reason was given, and only there", () => {
    expect(read(delta({ content: "a" }, "stop")).stopReason).toBe("stop");
    expect(read(delta({ content: "a" })).error).toMatchObject({ kind: "protocol" });
    expect(read("").error).toMatchObject({ kind: "protocol" });
  });

  test("empty events in between say nothing", () => {
    expect(read("data:\n\n", delta({ content: "a" }, "stop"), "data: \n\n", DONE).stopReason).toBe(
      "stop",
    );
  });
});

describe("usage", () => {
  const usageOf = (usage: unknown): unknown =>
    read(delta({}, "stop"), frame({ choices: [], usage }), DONE).usage;

  test("counts cached tokens apart from the others", () => {
    expect(
      usageOf({
        prompt_tokens: 100,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
        completion_tokens_details: { reasoning_tokens: 5 },
      }),
    ).toEqual({ input: 30, output: 20, cacheRead: 60, cacheWrite: 10, reasoning: 5 });
  });

  test("reads the dialects of other hosts, null and strings", () => {
    expect(
      usageOf({ prompt_tokens: 9, prompt_cache_hit_tokens: 4, completion_tokens: null }),
    ).toEqual({ input: 5, output: 0, cacheRead: 4, cacheWrite: 0 });
    expect(usageOf({ prompt_tokens: "9", completion_tokens: "2" })).toMatchObject({
      input: 9,
      output: 2,
    });
    const inChoice = frame({
      choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: { prompt_tokens: 3 } }],
    });
    expect(read(inChoice, DONE).usage.input).toBe(3);
  });
});

describe("errors", () => {
  test("in the stream come as an object, as text or as an event of that name", () => {
    const object = { error: { message: "no", code: 429, metadata: {} } };
    expect(read(delta({ content: "a" }), frame(object)).error).toMatchObject({
      kind: "rate_limit",
      message: "no",
      status: 429,
    });
    expect(read(frame({ error: "no" })).error).toMatchObject({ kind: "protocol", message: "no" });
    const named = encodeSse(JSON.stringify({ message: "no", type: "overloaded_error" }), "error");
    expect(read(named).error).toMatchObject({ kind: "overloaded", message: "no" });
  });

  test("as a whole reply that is none", () => {
    const whole = (body: unknown) => messageOf(decodeWhole(client, body, ORIGIN));
    expect(whole({ error: { message: "no", type: "invalid_request_error" } }).error).toMatchObject({
      kind: "invalid_request",
    });
    for (const body of [{}, [], null, "x", { choices: [] }])
      expect(whole(body).error).toMatchObject({ kind: "protocol" });
  });
});

test("a whole reply without a finish reason is whole all the same", () => {
  const body = { choices: [{ message: { role: "assistant", content: "a" } }] };
  expect(messageOf(decodeWhole(client, body, ORIGIN))).toMatchObject({
    stopReason: "stop",
    content: [{ type: "text", text: "a" }],
  });
});
