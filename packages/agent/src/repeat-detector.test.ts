import { expect, test } from "bun:test";
import { textOf, userText } from "@tau/ai/message";
import fc from "fast-check";
import { Mailbox } from "./mailbox.ts";
import { DEFAULT_REPEATS, RepeatDetector } from "./repeat-detector.ts";
import { echo, run, wordTool } from "./test/scripted-run.ts";
import { ToolTable } from "./tool-table.ts";

const calls = (words: string[]) => words.map((word) => ({ toolCalls: [echo(word)] }));

test("the same call with the same result: the model is told, then the run ends", async () => {
  const { end, added, requests } = await run(calls(Array.from({ length: 20 }, () => "a")));
  expect(end).toEqual({
    reason: "limit",
    kind: "repeat",
    limit: "6 equal calls with equal results in a row",
  });
  expect(requests).toHaveLength(DEFAULT_REPEATS.stopAfter);
  const results = added.filter((message) => message.role === "toolResult").map(textOf);
  expect(results.slice(0, 2)).toEqual(["<a>", "<a>"]);
  expect(results[2]).toContain("[This call has now given the same result 3 times in a row.");
});

test("a circle of several calls is one too", async () => {
  const words = Array.from({ length: 40 }, (_, at) => ["a", "b", "c"][at % 3]!);
  const { end, requests, added } = await run(calls(words));
  expect(end).toMatchObject({ kind: "repeat", limit: "6 equal cycles of 3 calls in a row" });
  const results = added.filter(({ role }) => role === "toolResult").map(textOf);
  expect(results.slice(0, 8).every((text) => /^<[abc]>$/.test(text))).toBe(true);
  expect(results[8]).toContain("[This cycle of 3 calls has now given the same result 3 times");
  expect(requests).toHaveLength(18);
});

test("asking again is what some tools are for", async () => {
  const tools = new ToolTable([
    wordTool("echo", "shared", async () => "still running", { polls: true }),
  ]);
  const { end, added } = await run([...calls(Array.from({ length: 10 }, () => "job")), {}], {
    tools,
  });
  expect(end).toEqual({ reason: "done" });
  const results = added.filter(({ role }) => role === "toolResult").map(textOf);
  expect(results).toEqual(Array.from({ length: 10 }, () => "still running"));
});

test("a word from the user begins a new count", async () => {
  const mailbox = new Mailbox();
  let times = 0;
  const tools = new ToolTable([
    wordTool("echo", "shared", async () => {
      if (++times === 5) void mailbox.post(userText("go on", 0), { delivery: "steer" });
      return "same";
    }),
  ]);
  const { requests } = await run(calls(Array.from({ length: 20 }, () => "a")), { tools, mailbox });
  expect(requests).toHaveLength(5 + DEFAULT_REPEATS.stopAfter);
});

test("results that differ are never a circle", () => {
  const call = fc.record({ name: fc.constantFrom("x", "y"), arguments: fc.constant({ a: 1 }) });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
      const detector = new RepeatDetector();
      for (const [at, one] of calls.entries()) {
        expect(detector.observe(one, `result ${at}`)).toBeUndefined();
      }
    }),
  );
});

test("any circle of up to four calls is found, whatever came before it", () => {
  const key = fc.nat(5);
  fc.assert(
    fc.property(fc.array(key), fc.array(key, { minLength: 1, maxLength: 4 }), (before, cycle) => {
      const detector = new RepeatDetector();
      for (const at of before) detector.observe({ name: "t", arguments: at }, "before");
      let last;
      for (let round = 0; round < DEFAULT_REPEATS.stopAfter; round++) {
        for (const at of cycle) last = detector.observe({ name: "t", arguments: { at } }, "same");
      }
      expect(last?.verdict).toBe("stop");
    }),
  );
});

test("the order of an object's keys makes no difference", () => {
  const detector = new RepeatDetector({ warnAfter: 2, stopAfter: 9 });
  detector.observe({ name: "t", arguments: { a: 1, b: { c: 1, d: 2 } } }, "r");
  const again = detector.observe({ name: "t", arguments: { b: { d: 2, c: 1 }, a: 1 } }, "r");
  expect(again?.verdict).toBe("warn");
});
