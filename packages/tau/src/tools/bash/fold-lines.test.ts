// What is folded, and that nothing is lost but what is counted.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { foldLines } from "./fold-lines.ts";

test("runs of lines that differ in numbers only; what differs otherwise stays", () => {
  const passes = (from: number, to: number): string[] =>
    Array.from({ length: to - from + 1 }, (_, at) => `ok ${from + at} - passes in ${at % 7} ms`);
  const lines = [...passes(1, 99), "not ok 100 - got 42", ...passes(101, 300), "1 failed"];
  expect(foldLines(lines.join("\n"))).toBe(
    [
      "ok 1 - passes in 0 ms",
      "ok 2 - passes in 1 ms",
      "[… 96 lines like these …]",
      "ok 99 - passes in 0 ms",
      "not ok 100 - got 42",
      "ok 101 - passes in 0 ms",
      "ok 102 - passes in 1 ms",
      "[… 197 lines like these …]",
      "ok 300 - passes in 3 ms",
      "1 failed",
    ].join("\n"),
  );
});

test("a line with another number where all have the same is shown", () => {
  const lines = Array.from({ length: 1000 }, (_, at) =>
    at === 499 ? "suite 500: 3 failed, 9 passed" : `suite ${at + 1}: 0 failed, 12 passed`,
  );
  expect(foldLines(lines.join("\n")).split("\n")).toEqual([
    "suite 1: 0 failed, 12 passed",
    "suite 2: 0 failed, 12 passed",
    "[… 497 lines like these …]",
    "suite 500: 3 failed, 9 passed",
    "[… 499 lines like these …]",
    "suite 1000: 0 failed, 12 passed",
  ]);
});

test("blocks of several lines, as TAP has them; failures and what is skipped are shown", () => {
  const block = (at: number, verdict = "ok", directive = "") => [
    `# Subtest: adds ${"ab".repeat(at % 5)} ${at}`,
    `${verdict} ${at} - adds ${"ab".repeat(at % 5)} ${at}${directive}`,
    "  ---",
    `  duration_ms: ${at}.5`,
    "  type: 'test'",
    "  ...",
  ];
  const passes = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => block(from + at)).flat();
  const failure = [...block(50, "not ok").slice(0, -1), "  error: 'got 3'", "  ..."];
  const skipped = block(80, "ok", " # SKIP no network");
  const lines = ["TAP version 13", ...passes(1, 49), ...failure, ...passes(51, 79), ...skipped];
  expect(foldLines([...lines, ...passes(81, 120), "# fail 1"].join("\n")).split("\n")).toEqual([
    "TAP version 13",
    ...block(1),
    ...block(2),
    `[… ${46 * 6} lines like these …]`,
    ...block(49),
    ...failure,
    ...block(51),
    ...block(52),
    `[… ${26 * 6} lines like these …]`,
    ...block(79),
    ...skipped,
    ...block(81),
    ...block(82),
    `[… ${37 * 6} lines like these …]`,
    ...block(120),
    "# fail 1",
  ]);
});

test("every line is shown or counted, in its order", () => {
  const line = fc.constantFrom("a 1", "a 2", "b", "", "c 3 4");
  const repeated = fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 12 }))
    .map(([block, times]) => Array.from({ length: times }, () => block).flat());
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          line.map((one) => [one]),
          repeated,
        ),
        { maxLength: 20 },
      ),
      (lines) => {
        const whole = lines.flat().join("\n");
        let at = 0;
        const rows = foldLines(whole).split("\n");
        const all = whole.split("\n");
        for (const row of rows) {
          const counted = /^\[… (\d+) lines like these …\]$/.exec(row);
          if (counted) at += Number(counted[1]);
          else expect(row).toBe(all[at++]!);
        }
        expect(at).toBe(all.length);
      },
    ),
  );
});
