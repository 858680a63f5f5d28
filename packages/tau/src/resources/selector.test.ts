// The selector grammar: every form, and that no other colon is taken for one.

import { describe, expect, test } from "bun:test";
import { ToolError } from "@tau/agent/tool";
import fc from "fast-check";
import { mergeRanges, widenRanges, type LineRange } from "./line-range.ts";
import { splitSelector, WHOLE, type Selector } from "./selector.ts";

/** As it would be written after a path; empty for all of it. */
function printSelector({ ranges, isRaw, isConflicts }: Selector): string {
  if (isConflicts) return ":conflicts";
  const lines = ranges?.map(({ first, last }) => `${first}-${last ?? ""}`).join(",");
  return `${lines === undefined ? "" : `:${lines}`}${isRaw ? ":raw" : ""}`;
}

const lines = (...ranges: LineRange[]): Selector => ({ ranges, isRaw: false, isConflicts: false });
const raw = (...ranges: LineRange[]): Selector => ({
  ...(ranges.length === 0 ? {} : { ranges }),
  isRaw: true,
  isConflicts: false,
});

describe("selectors", () => {
  test.each<[string, string, Selector]>([
    ["a.ts", "a.ts", WHOLE],
    ["a.ts:7", "a.ts", lines({ first: 7 })],
    ["a.ts:L7", "a.ts", lines({ first: 7 })],
    ["a.ts:7-", "a.ts", lines({ first: 7 })],
    ["a.ts:3-9", "a.ts", lines({ first: 3, last: 9 })],
    ["a.ts:L3-L9", "a.ts", lines({ first: 3, last: 9 })],
    ["a.ts:10+3", "a.ts", lines({ first: 10, last: 12 })],
    ["a.ts:5-6,1-2", "a.ts", lines({ first: 1, last: 2 }, { first: 5, last: 6 })],
    ["a.ts:1-4,3-9,10", "a.ts", lines({ first: 1 })],
    ["a.ts:raw", "a.ts", raw()],
    ["a.ts:3-9:raw", "a.ts", raw({ first: 3, last: 9 })],
    ["a.ts:raw:3-9", "a.ts", raw({ first: 3, last: 9 })],
    ["a.ts:conflicts", "a.ts", { isRaw: false, isConflicts: true }],
    ["x.zip:a/b.txt:2-3", "x.zip:a/b.txt", lines({ first: 2, last: 3 })],
    ["x.zip:a/b.txt", "x.zip:a/b.txt", WHOLE],
    ["db.sqlite:users:42", "db.sqlite:users", lines({ first: 42 })],
    ["C:\\work\\a.ts", "C:\\work\\a.ts", WHOLE],
    ["C:\\work\\a.ts:4", "C:\\work\\a.ts", lines({ first: 4 })],
    ["https://example.com/", "https://example.com/", WHOLE],
    ["notes: monday", "notes: monday", WHOLE],
    ["a.ts:raw:raw", "a.ts:raw", raw()],
    ["a.ts:", "a.ts:", WHOLE],
    [":7", ":7", WHOLE],
    ["", "", WHOLE],
  ])("%s", (input, path, selector) => {
    expect(splitSelector(input)).toEqual({ path, selector });
  });

  test.each([
    ["a:0", "counted from 1"],
    ["a:9-3", "use :3-9"],
    ["a:4+0", "say how many"],
    ["a:4+", "say how many"],
    ["a:1-2,0", "counted from 1"],
  ])("%s is refused with what to do", (input, hint) => {
    expect(() => splitSelector(input)).toThrow(hint);
  });

  test("nothing throws anything but a ToolError", () => {
    const piece = fc.constantFrom(
      ":",
      "raw",
      "conflicts",
      "L",
      "1",
      "0",
      "99",
      "-",
      "+",
      ",",
      "a/b",
      "\\",
      " ",
      "é",
      "😀",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 12 }).map((all) => all.join("")),
        ),
        (input) => {
          try {
            const { path, selector } = splitSelector(input);
            expect(input.startsWith(path)).toBe(true);
            // What was cut off says the same when it is written again.
            if (path !== input) {
              expect(splitSelector(path + printSelector(selector))).toEqual({ path, selector });
            }
          } catch (error) {
            expect(error).toBeInstanceOf(ToolError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

function contains(ranges: readonly LineRange[], line: number): boolean {
  return ranges.some(({ first, last }) => line >= first && (last === undefined || line <= last));
}

const range = fc
  .record({
    first: fc.integer({ min: 1, max: 60 }),
    length: fc.option(fc.nat(20), { nil: undefined }),
  })
  .map(({ first, length }): LineRange =>
    length === undefined ? { first } : { first, last: first + length },
  );

test("merging keeps exactly the lines there were, in order, apart from one another", () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 6 }), (ranges) => {
      const merged = mergeRanges(ranges);
      for (let line = 1; line < 100; line++) {
        expect(contains(merged, line)).toBe(contains(ranges, line));
      }
      for (const [at, { first }] of merged.entries()) {
        if (at > 0) expect(first).toBeGreaterThan(merged[at - 1]!.last! + 1);
      }
    }),
  );
});

test("widening adds lines on limited sides only", () => {
  expect(widenRanges([{ first: 10, last: 12 }], { before: 1, after: 3 })).toEqual([
    { first: 9, last: 15 },
  ]);
  expect(widenRanges([{ first: 1 }], { before: 1, after: 3 })).toEqual([{ first: 1 }]);
});
