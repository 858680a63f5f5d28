import { expect, test } from "bun:test";
import fc from "fast-check";
import { clip, COLUMNS, fence, inlineCode, plainText, prose, table } from "./markdown.ts";

const line = fc.string({ unit: "grapheme", maxLength: 200 });

test("prose keeps every word, in order, within the columns", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,20}$/), { maxLength: 60 }), (words) => {
      const filled = prose(words.join("  "));
      expect(filled.split(/\s/).filter(Boolean)).toEqual(words);
      for (const each of filled.split("\n")) expect(each.length).toBeLessThanOrEqual(COLUMNS);
    }),
  );
});

test("prose does not break a code span", () => {
  expect(prose(`${"x".repeat(70)} then \`run it now\`.`)).toBe(
    `${"x".repeat(70)} then\n\`run it now\`.`,
  );
});

test("clip never exceeds its columns", () => {
  fc.assert(
    fc.property(line, fc.integer({ min: 2, max: 50 }), (text, columns) => {
      expect(Bun.stringWidth(clip(text, columns))).toBeLessThanOrEqual(columns);
    }),
  );
});

test("nothing inside a fence can close it", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("```", "````", "x", "\n", "~~~")), (parts) => {
      const [opening, ...rest] = fence(parts.join("")).split("\n");
      expect(rest.pop()).toBe(opening!);
      for (const each of rest) expect(each.trim().startsWith(opening!)).toBe(false);
    }),
  );
});

test("code spans with backticks, tables with bars", () => {
  expect(inlineCode("a`b")).toBe("`` a`b ``");
  expect(table([{ title: "A" }, { title: "N", align: "right" }], [["x|y", "1"]])).toBe(
    "| A    |   N |\n| ---- | --: |\n| x\\|y |   1 |",
  );
});

test("plain text has no control characters but line ends", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      // oxlint-disable-next-line no-control-regex
      expect(plainText(text)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    }),
  );
});
