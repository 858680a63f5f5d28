// The consumer's side: merged deltas for who lags, one end for everybody.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { StreamEvent } from "./event.ts";
import { ReplyAssembler } from "./reply-assembler.ts";
import { ReplyStream } from "./reply-stream.ts";

const SEED = 12;
const ORIGIN = { provider: "p", model: "m", wire: "openai-completions" } as const;

function assembled(): { stream: ReplyStream; out: ReplyAssembler } {
  const stream = new ReplyStream();
  return { stream, out: new ReplyAssembler(ORIGIN, stream.push, 0) };
}

async function collect(stream: ReplyStream): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe("a consumer that lags", () => {
  test("finds ten thousand deltas merged into one, with the exact text", async () => {
    const { stream, out } = assembled();
    const block = out.openText();
    let text = "";
    for (let at = 0; at < 10_000; at++) {
      text += `${at} `;
      block.append(`${at} `);
    }
    out.finish("stop");
    const events = await collect(stream);
    expect(events.map(({ type }) => type)).toEqual([
      "start",
      "text_start",
      "text_delta",
      "text_end",
      "done",
    ]);
    expect(events[2]).toEqual({ type: "text_delta", index: 0, delta: text });
  });

  test("finds one delta a block where blocks were interleaved", async () => {
    const { stream, out } = assembled();
    const calls = [0, 1, 2].map((at) => out.openToolCall({ id: `c${at}`, name: "t" }));
    for (let at = 0; at < 3000; at++) calls[at % 3]!.append(String(at % 10));
    out.fail({ kind: "network", message: "gone", retryable: true });
    const deltas = (await collect(stream)).filter((event) => "delta" in event);
    expect(deltas.map(({ index, delta }) => [index, delta.length])).toEqual([
      [0, 1000],
      [1, 1000],
      [2, 1000],
    ]);
  });

  test("that reads one event at a time still gets few events", async () => {
    const { stream, out } = assembled();
    const block = out.openText();
    const events: StreamEvent[] = [];
    let told = 0;
    for await (const event of stream) {
      events.push(event);
      // A thousand more arrive while this one is being looked at.
      if (told < 10_000) {
        for (let at = 0; at < 1000; at++) block.append("x");
        told += 1000;
        if (told === 10_000) out.finish("stop");
      }
    }
    expect(events.length).toBeLessThan(20);
    const text = events.map((event) => ("delta" in event ? event.delta : "")).join("");
    expect(text).toBe("x".repeat(10_000));
  });
});

test("whatever the producer's and the consumer's pace, text and order are the same", async () => {
  const step = fc.tuple(fc.nat(2), fc.string({ maxLength: 4 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { stream, out } = assembled();
      const blocks = [out.openText(), out.openThinking(), out.openToolCall({ id: "c", name: "t" })];
      const reading = collect(stream);
      for (const [at, text, pause] of steps) {
        blocks[at]!.append(text);
        if (pause) await Promise.resolve();
      }
      out.finish("stop");
      const events = await reading;
      for (const index of [0, 1, 2]) {
        const told = steps.filter(([at]) => at === index).map(([, text]) => text);
        const seen = events.map((e) => ("delta" in e && e.index === index ? e.delta : ""));
        expect(seen.join("")).toBe(told.join(""));
        const kinds = events.filter((e) => "index" in e && e.index === index).map((e) => e.type);
        expect(kinds[0]).toEndWith("_start");
        expect(kinds.at(-1)).toEndWith("_end");
      }
      expect(events.at(-1)!.type).toBe("done");
    }),
    { seed: SEED },
  );
});

describe("the end", () => {
  test("result() resolves without anyone reading, failed replies too", async () => {
    const { stream, out } = assembled();
    out.openText().append("half");
    out.fail({ kind: "network", message: "gone", retryable: true });
    const message = await stream.result();
    expect(message.stopReason).toBe("error");
    expect(message.content).toEqual([{ type: "text", text: "half" }]);
  });

  test("nothing follows the terminal event", async () => {
    const stream = new ReplyStream();
    const out = new ReplyAssembler(ORIGIN, stream.push, 0);
    out.finish("stop");
    stream.push({ type: "text_delta", index: 0, delta: "late" });
    expect((await collect(stream)).map(({ type }) => type)).toEqual(["start", "done"]);
  });

  test("a second reader of a finished reply ends instead of waiting for ever", async () => {
    const { stream, out } = assembled();
    out.finish("stop");
    await collect(stream);
    expect(await collect(stream)).toEqual([]);
  });

  test("a queued delta is the stream's own: merging does not reach into the producer's", async () => {
    const stream = new ReplyStream();
    const first: StreamEvent = { type: "text_delta", index: 0, delta: "a" };
    stream.push(first);
    stream.push({ type: "text_delta", index: 0, delta: "b" });
    expect(first).toEqual({ type: "text_delta", index: 0, delta: "a" });
  });
});
