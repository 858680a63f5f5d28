// The laws of the stream, whatever a decoder does: order, one end, no half call that runs.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { modelFailure } from "./error.ts";
import { isTerminal, type StreamEvent } from "./event.ts";
import {
  MAX_REPLY_BLOCKS,
  MAX_REPLY_CHARS,
  ReplyAssembler,
  type OpenBlock,
} from "./reply-assembler.ts";

const SEED = 13;
const ORIGIN = { provider: "p", model: "m", wire: "openai-completions" } as const;

function recording(): { events: StreamEvent[]; out: ReplyAssembler } {
  const events: StreamEvent[] = [];
  return { events, out: new ReplyAssembler(ORIGIN, (event) => events.push(event), 0) };
}

const types = (events: StreamEvent[]): string[] => events.map(({ type }) => type);
const BROKEN = modelFailure("network", "gone");

describe("the order of events", () => {
  test("start comes first even if nobody says so, and once", () => {
    const { events, out } = recording();
    out.openText().append("a");
    out.start();
    out.finish("stop");
    expect(types(events)).toEqual(["start", "text_start", "text_delta", "text_end", "done"]);
  });

  test("whatever a decoder does, there is one terminal event and it is the last", () => {
    type Action = (out: ReplyAssembler, open: OpenBlock[]) => void;
    const action = fc.constantFrom<Action[]>(
      (out) => out.start(),
      (out, open) => open.push(out.openText()),
      (out, open) => open.push(out.openThinking()),
      (out, open) => open.push(out.openToolCall({ id: "c", name: "t" })),
      (_out, open) => open.at(-1)?.append("x"),
      (_out, open) => open[0]?.append("{}"),
      (_out, open) => open.at(-1)?.close(),
      (_out, open) => open[0]?.settle("{}"),
      (out) => out.usage({ input: 3 }),
      (out) => out.finish("stop"),
      (out) => out.finish("length"),
      (out) => out.fail(BROKEN),
      (out) => out.failIfUnfinished(),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        const { events, out } = recording();
        const open: OpenBlock[] = [];
        for (const act of actions) act(out, open);
        out.failIfUnfinished();
        const blocksAtEnd = out.message.content.length;
        out.openText().append("late");
        expect(out.message.content).toHaveLength(blocksAtEnd);
        expect(events.filter(isTerminal)).toHaveLength(1);
        expect(isTerminal(events.at(-1)!)).toBe(true);
        expect(events[0]).toEqual({ type: "start" });
        for (let index = 0; index < out.message.content.length; index++) {
          const own = events.filter((event) => "index" in event && event.index === index);
          expect(own[0]!.type).toEndWith("_start");
          expect(own.at(-1)!.type).toEndWith("_end");
          expect(own.slice(1, -1).every((event) => "delta" in event)).toBe(true);
        }
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test("what comes behind the end does not change the message", () => {
    const { out } = recording();
    const block = out.openText();
    out.finish("stop");
    const before = structuredClone(out.message);
    block.append("late");
    out.usage({ input: 9 });
    out.responseId("late");
    out.openToolCall({ id: "c", name: "t" });
    out.fail(BROKEN);
    expect(out.message).toEqual(before);
  });
});

describe("how a reply ends", () => {
  test("a plain stop beside calls is a tool use", () => {
    const { out } = recording();
    out.openToolCall({ id: "c", name: "t" }).close();
    out.finish("stop");
    expect(out.message.stopReason).toBe("toolUse");
  });

  test("a failure keeps what had arrived and says whose it was", () => {
    const { events, out } = recording();
    out.openText().append("half");
    out.fail(modelFailure("aborted", "stopped"));
    expect(events.at(-1)).toMatchObject({ type: "error", reason: "aborted" });
    expect(out.message).toMatchObject({
      stopReason: "aborted",
      content: [{ type: "text", text: "half" }],
      error: { kind: "aborted", provider: "p" },
    });
  });
});

describe("tool-call arguments", () => {
  function callOf(text: string, end: (out: ReplyAssembler, block: OpenBlock) => void) {
    const { out } = recording();
    const block = out.openToolCall({ id: "c", name: "t" });
    block.append(text);
    end(out, block);
    return out.message.content[0];
  }
  const closed = (out: ReplyAssembler, block: OpenBlock): void => {
    block.close();
    out.finish("toolUse");
  };
  const cutByLength = (out: ReplyAssembler): void => out.finish("length");
  const cutByFailure = (out: ReplyAssembler): void => out.fail(BROKEN);

  test("a closed call without text has no arguments; a cut one is not executable", () => {
    expect(callOf("", closed)).toEqual({ type: "toolCall", id: "c", name: "t", arguments: {} });
    expect(callOf("", cutByLength)).toMatchObject({ malformed: "" });
    expect(callOf("", cutByFailure)).toMatchObject({ malformed: "" });
  });

  test("no proper beginning of an object is ever executable", () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 });
    fc.assert(
      fc.property(
        value,
        fc.nat(),
        fc.constantFrom(closed, cutByLength, cutByFailure),
        (v, at, end) => {
          const text = JSON.stringify(v);
          const half = text.slice(0, 1 + (at % (text.length - 1)));
          expect(callOf(half, end)).toMatchObject({ malformed: half, arguments: {} });
        },
      ),
      { seed: SEED },
    );
  });

  test("a whole object lost nothing by the cut behind it", () => {
    expect(callOf('{"a":1}', cutByLength)).not.toHaveProperty("malformed");
    expect(callOf('{"a":1}', cutByLength)).toMatchObject({ arguments: { a: 1 } });
  });

  test("other JSON than an object is malformed", () => {
    for (const text of ["[1]", "null", "3", '"x"', '{"a":1}{"b":2}'])
      expect(callOf(text, closed)).toMatchObject({ malformed: text });
  });
});

describe("settle", () => {
  test("reports only what the deltas did not bring", () => {
    const { events, out } = recording();
    const block = out.openText();
    block.append("ab");
    block.settle("abcd");
    block.settle("abcd");
    out.finish("stop");
    const deltas = events.flatMap((event) => ("delta" in event ? [event.delta] : []));
    expect(deltas).toEqual(["ab", "cd"]);
  });

  test("is the last word where it contradicts the deltas", () => {
    const { out } = recording();
    const text = out.openText();
    text.append("abx");
    text.settle("abc");
    const call = out.openToolCall({ id: "c", name: "t" });
    call.append('{"a":');
    call.settle('{"b":2}');
    out.finish("stop");
    expect(out.message.content).toMatchObject([{ text: "abc" }, { arguments: { b: 2 } }]);
  });

  test("kept bytes carry their origin", () => {
    const { out } = recording();
    const block = out.openThinking();
    block.keep("one");
    block.keep("two");
    out.finish("stop");
    expect(out.message.content[0]).toMatchObject({
      opaque: { wire: ORIGIN.wire, model: "m", data: "two" },
    });
  });
});

describe("a reply that does not end", () => {
  const half = "x".repeat(MAX_REPLY_CHARS / 2);
  const tooLarge = { kind: "protocol", retryable: false, code: "reply_too_large" };

  test.each<[string, (out: ReplyAssembler) => void]>([
    ["in one block", (out) => out.openText().append(`${half}${half}x`)],
    [
      "in several",
      (out) => {
        out.openThinking().append(half);
        out.openText().append(half);
        out.openToolCall({ id: "c", name: "t" }).append("x");
      },
    ],
    [
      "in what is kept for the vendor",
      (out) => {
        out.openText().append(half);
        out.openThinking().keep(`${half}x`);
      },
    ],
    [
      "in what replaces the deltas",
      (out) => {
        const block = out.openText();
        block.append(half);
        block.settle(`${half.slice(1)}yz`);
      },
    ],
    [
      "in its number of blocks",
      (out) => {
        for (let at = 0; at <= MAX_REPLY_BLOCKS; at++) out.openText().close();
      },
    ],
  ])("fails once, %s", (_where, feed) => {
    const { events, out } = recording();
    feed(out);
    expect(out.ended).toBe(true);
    expect(out.message.error).toMatchObject(tooLarge);
    expect(events.filter(isTerminal)).toHaveLength(1);
    out.openText().append("more");
    out.finish("stop");
    expect(out.message.stopReason).toBe("error");
  });

  test("is whole up to the limit", () => {
    const { out } = recording();
    out.openText().append(half + half);
    out.finish("stop");
    expect(out.message.error).toBeUndefined();
    for (let at = 0; at < MAX_REPLY_BLOCKS - 1; at++) out.openText();
    expect(out.message.stopReason).toBe("stop");
  });

  test("keeps the beginning of a call's arguments, and does not run it", () => {
    const { out } = recording();
    out.openToolCall({ id: "c", name: "t" }).append(`{"a":"${half}`);
    out.openText().append(half);
    const [call] = out.message.content;
    expect(call).toMatchObject({ type: "toolCall", arguments: {} });
    expect((call as { malformed: string }).malformed).toHaveLength(64 * 1024);
  });
});
