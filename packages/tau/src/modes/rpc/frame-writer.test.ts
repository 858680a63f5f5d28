// What goes out: in order, numbered without a gap, merged while nobody reads, and never more than a
// reader can be made to wait for.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { FrameWriter, MAX_WAITING_UPDATE, type OutgoingEvent } from "./frame-writer.ts";

/** A reader that takes a chunk whenever it is told to. */
function slowReader() {
  const chunks: string[] = [];
  const gates: ((isThere: boolean) => void)[] = [];
  let gone = 0;
  const writer = new FrameWriter(
    (text) => {
      chunks.push(text);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      gates.push(resolve);
      return promise;
    },
    () => gone++,
  );
  const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    writer,
    gone: () => gone,
    async take(isThere = true): Promise<boolean> {
      await tick();
      const gate = gates.shift();
      gate?.(isThere);
      await tick();
      return gate !== undefined;
    },
    frames: (): Record<string, unknown>[] =>
      chunks
        .join("")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

const delta = (text: string): OutgoingEvent => ({
  type: "message_update",
  runId: "run_1",
  event: { type: "text_delta", index: 0, delta: text },
});
const update = (callId: string, text: string): OutgoingEvent => ({
  type: "tool_execution_update",
  callId,
  text,
});

test("whatever is merged: all text arrives, in order, numbered without a gap", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.record({ kind: fc.constant("delta" as const), text: fc.string() }),
          fc.record({ kind: fc.constant("event" as const), text: fc.string() }),
          fc.record({ kind: fc.constant("response" as const), text: fc.string() }),
          fc.record({ kind: fc.constant("take" as const), text: fc.constant("") }),
        ),
      ),
      async (steps) => {
        const reader = slowReader();
        for (const { kind, text } of steps) {
          if (kind === "delta") reader.writer.event(delta(text));
          if (kind === "event") reader.writer.event({ type: "mark", text });
          if (kind === "response") {
            reader.writer.respond({ type: "response", id: text, command: "x", success: true });
          }
          if (kind === "take") await reader.take();
        }
        while (await reader.take());
        const frames = reader.frames();
        const events = frames.filter(({ type }) => type !== "response");
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
        const said = (all: readonly { kind: string; text: string }[]) =>
          all.map(({ kind, text }) => (kind === "event" ? `\n${text}\n` : text)).join("");
        const sent = steps.filter(({ kind }) => kind === "delta" || kind === "event");
        const got = events.map(({ type, text, event }) =>
          type === "mark"
            ? { kind: "event", text: text as string }
            : { kind: "delta", text: (event as { delta: string }).delta },
        );
        expect(said(got)).toBe(said(sent));
        const ids = steps.filter(({ kind }) => kind === "response").map(({ text }) => text);
        expect(frames.filter(({ type }) => type === "response").map(({ id }) => id)).toEqual(ids);
      },
    ),
    { numRuns: 60 },
  ));

test("deltas that wait are one frame", async () => {
  const reader = slowReader();
  reader.writer.event({ type: "message_start" });
  await reader.take();
  reader.writer.event({ type: "first" });
  await new Promise<void>((resolve) => setImmediate(resolve));
  for (let at = 0; at < 10_000; at++) reader.writer.event(delta("word "));
  while (await reader.take());
  expect(reader.frames()).toHaveLength(3);
  expect(reader.frames()[2]).toMatchObject({ seq: 3, event: { delta: "word ".repeat(10_000) } });
});

test("output of commands side by side keeps its end, and says what is missing", async () => {
  const reader = slowReader();
  const text = "0123456789".repeat(1000);
  for (let at = 0; at < 200; at++) {
    reader.writer.event(update("a", text));
    reader.writer.event(update("b", "x"));
  }
  reader.writer.event(update("a", "the end"));
  while (await reader.take());
  const [a, b, ...more] = reader.frames() as { text: string; skippedCharacters?: number }[];
  expect(more).toEqual([]);
  expect(b!.text).toBe("x".repeat(200));
  expect(a!.text.endsWith("the end")).toBe(true);
  expect(a!.text.length).toBeLessThanOrEqual(MAX_WAITING_UPDATE);
  expect(a!.text.length + a!.skippedCharacters!).toBe(200 * text.length + "the end".length);
});

test("a new state instead of the old one drops what waited", async () => {
  const reader = slowReader();
  reader.writer.event(update("a", "old"));
  reader.writer.event({ ...update("a", "new"), replaces: true });
  reader.writer.event(update("a", " and more"));
  while (await reader.take());
  expect(reader.frames()).toEqual([
    { seq: 1, type: "tool_execution_update", callId: "a", text: "new and more", replaces: true },
  ]);
});

test("who produces waits for a reader, until it reads, leaves or the run is stopped", async () => {
  const reader = slowReader();
  const big = { type: "big", text: "x".repeat(9 * 1024 * 1024) };
  await reader.writer.whenNot("full");
  reader.writer.event({ type: "small" });
  await new Promise<void>((resolve) => setImmediate(resolve));
  reader.writer.event(big);
  const order: string[] = [];
  const stop = new AbortController();
  const waiting = [
    reader.writer.whenNot("full").then(() => order.push("room")),
    reader.writer.whenNot("full", stop.signal).then(() => order.push("stopped")),
  ];
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  stop.abort();
  await waiting[1];
  expect(order).toEqual(["stopped"]);
  await reader.take();
  await reader.take();
  await waiting[0];
  expect(order).toEqual(["stopped", "room"]);
  reader.writer.event(big);
  reader.writer.event(big);
  const last = reader.writer.whenNot("full");
  await reader.take(false);
  await last;
  await reader.writer.flush();
  expect(reader.gone()).toBe(1);
});

test("what two agents say at the same time is not mixed; of who there is only the last word waits", async () => {
  const { writer, take, frames } = slowReader();
  writer.event({ type: "ready" });
  await take();
  writer.event({ type: "first" });
  for (const agent_id of ["Ann", "Bob", undefined, "Ann", "Bob", undefined]) {
    writer.event({ ...delta(`${agent_id ?? "Main"} `), agent_id });
    writer.event({ ...update("call_1", `${agent_id ?? "Main"} `), agent_id });
    writer.event({ type: "agents_changed", agents: [agent_id] });
  }
  while (await take());
  const told = frames().slice(2);
  const said = told.map(({ type, agent_id, event, text, agents }) => [
    type,
    agent_id,
    (event as { delta?: string } | undefined)?.delta ?? text ?? agents,
  ]);
  expect(said).toEqual([
    ["message_update", "Ann", "Ann Ann "],
    ["tool_execution_update", "Ann", "Ann Ann "],
    ["agents_changed", undefined, [null]],
    ["message_update", "Bob", "Bob Bob "],
    ["tool_execution_update", "Bob", "Bob Bob "],
    ["message_update", undefined, "Main Main "],
    ["tool_execution_update", undefined, "Main Main "],
  ]);
});
