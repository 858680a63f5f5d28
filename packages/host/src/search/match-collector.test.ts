import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { windowOf } from "./line-window.ts";
import { MatchCollector, type CollectorLimits } from "./match-collector.ts";

const limits: CollectorLimits = {
  maxMatches: 3,
  maxColumns: 20,
  contextBefore: 1,
  contextAfter: 2,
};

/** Feeds lines 1…count of which `matching` match, all of them as an engine might. */
function collected(count: number, matching: readonly number[], given: CollectorLimits) {
  const collector = new MatchCollector(given);
  for (let line = 1; line <= count; line += 1) {
    const text = `line ${line}`;
    if (!matching.includes(line)) collector.context({ line, kind: "context", text, ranges: [] });
    else {
      collector.match({ lines: [{ line, kind: "match", text, ranges: [[0, 4]] }], count: 1 });
    }
  }
  return collector;
}

const shape = ({ lines }: MatchCollector): string[] =>
  lines.map(({ line, kind }) => `${kind === "match" ? "*" : " "}${line}`);

test("keeps matches and their context, once each", () => {
  expect(shape(collected(12, [3, 4, 10], limits))).toEqual(
    " 2,*3,*4, 5, 6, 9,*10, 11, 12".split(","),
  );
});

test("past the limit matches count and are context at most", () => {
  const collector = collected(20, [1, 2, 3, 4, 15], limits);
  expect(shape(collector)).toEqual("*1,*2,*3, 4, 5".split(","));
  expect([collector.matches, collector.shown]).toEqual([5, 3]);
});

test("wanted lines confine matches, not their context", () => {
  const ranges = [{ start: 4, end: 6 }];
  const collector = collected(12, [2, 3, 5, 7], { ...limits, ranges });
  expect(shape(collector)).toEqual(" 4,*5, 6, 7".split(","));
  expect(collector.matches).toBe(1);
  expect([collector.isPast(6), collector.isPast(8)]).toEqual([false, true]);
});

test("is what a look at the whole text gives", () => {
  const line = fc.integer({ min: 1, max: 30 });
  const small = fc.nat(3);
  fc.assert(
    fc.property(fc.uniqueArray(line), small, small, small, (matching, before, after, max) => {
      const given = { ...limits, contextBefore: before, contextAfter: after, maxMatches: max };
      const kept = matching.toSorted((a, b) => a - b).slice(0, max);
      const expected: string[] = [];
      for (let at = 1; at <= 30; at += 1) {
        const isContext = kept.some((match) => at >= match - before && at <= match + after);
        if (kept.includes(at)) expected.push(`*${at}`);
        else if (isContext) expected.push(` ${at}`);
      }
      expect(shape(collected(30, matching, given))).toEqual(expected);
    }),
  );
});

describe("a long line", () => {
  const whole = { line: 1, kind: "match" as const };

  test("is cut at its end when the match is at its beginning", () => {
    const cut = windowOf({ ...whole, text: "needle".padEnd(99, "."), ranges: [[0, 6]] }, 20);
    expect(cut).toMatchObject({ text: "needle..............", offset: 0, truncated: true });
  });

  test("is shown around a match that is further in", () => {
    const text = `${"a".repeat(100)}needle${"b".repeat(100)}`;
    const cut = windowOf({ ...whole, text, ranges: [[100, 106]] }, 20);
    expect(cut).toMatchObject({ text: "aaaaaneedlebbbbbbbbb", offset: 95, column: 101 });
    expect(cut.ranges).toEqual([[5, 11]]);
  });

  test("the window is a part of the line with whole characters, and ranges fit it", () => {
    const text = fc.array(fc.constantFrom("a", "日", "😀", " ")).map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        text,
        fc.nat(60),
        fc.nat(9),
        fc.integer({ min: 4, max: 30 }),
        (text, at, n, max) => {
          const start = Math.min(at, text.length);
          const range = [start, Math.min(start + n, text.length)] as const;
          const cut = windowOf({ ...whole, text, ranges: [range] }, max);
          expect(text.slice(cut.offset, cut.offset + cut.text.length)).toBe(cut.text);
          expect(cut.text.length).toBeLessThanOrEqual(max);
          expect(cut.truncated).toBe(cut.text.length < text.length);
          expect(cut.text.isWellFormed() || !text.isWellFormed()).toBe(true);
          for (const [from, to] of cut.ranges) {
            expect(text.slice(range[0], range[1])).toContain(cut.text.slice(from, to));
          }
        },
      ),
    );
  });
});
