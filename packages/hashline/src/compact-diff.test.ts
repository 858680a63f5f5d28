import { expect, test } from "bun:test";
import fc from "fast-check";
import { applyPatch } from "diff";
import { compactDiff, unifiedDiff } from "./compact-diff.ts";

test("old and new numbers, a line of context, gaps", () => {
  const before = "a\nb\nc\nd\ne\nf\ng\n";
  const after = "a\nB\nc\nd\ne\nf\nx\ng\n";
  expect(compactDiff(before, after)).toBe(" 1:a\n-2:b\n+2:B\n 3:c\n…\n 6:f\n+7:x\n 8:g");
  expect(compactDiff("", "a\n")).toBe("+1:a");
  expect(compactDiff("a\n", "")).toBe("-1:a");
  expect(compactDiff(before, before)).toBe("");
});

test("long runs and long diffs say what they leave out", () => {
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at}\n`);
  const whole = compactDiff("", lines.join(""));
  expect(whole.split("\n")).toHaveLength(13);
  expect(whole).toContain("[… 88 rows left out …]");
  const scattered = lines.map((line, at) => (at % 2 === 0 ? line : `x${line}`)).join("");
  expect(compactDiff(lines.join(""), scattered)).toMatch(/\[… \d+ more rows left out …\]$/);
});

test("a unified diff makes the new text of the old one", () => {
  const line = fc.constantFrom("a", "b", "c", "", "d e");
  const text = fc
    .array(line, { maxLength: 30 })
    .map((lines) => lines.map((one) => `${one}\n`).join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff("a.ts", before, after);
      if (before === after) expect(diff).toBe("");
      else expect(applyPatch(before, diff, { fuzzFactor: 0 })).toBe(after);
    }),
    { numRuns: 1000 },
  );
});
