// A table never leaves its bound, and every row stays one line.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { COLUMN_WIDTH, renderTable, TABLE_WIDTH } from "./render-table.ts";
import type { Cell } from "./row-set.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc
    .array(
      fc.constantFrom("漢", "a", "👩‍👩‍👧", "\u0301", "\u200d", "🇩", "\n", "\u001b[1m", "\u202e", " "),
      {
        maxLength: 60,
      },
    )
    .map((all) => all.join("")),
);
const cell: fc.Arbitrary<Cell> = fc.oneof(
  text,
  fc.double(),
  fc.bigInt(),
  fc.constant(null),
  fc.nat().map((blobBytes) => ({ blobBytes })),
);

test("no line is wider than the table may be, and lines are as many as rows", () => {
  const table = fc.integer({ min: 1, max: 40 }).chain((count) =>
    fc.record({
      columns: fc.array(text, { minLength: count, maxLength: count }),
      rows: fc.array(fc.array(cell, { minLength: count, maxLength: count }), { maxLength: 5 }),
    }),
  );
  fc.assert(
    fc.property(table, ({ columns, rows }) => {
      const lines = renderTable({ columns, rows });
      for (const line of lines) {
        expect(Bun.stringWidth(line)).toBeLessThanOrEqual(TABLE_WIDTH);
        expect(line).not.toMatch(/\p{Cc}/u);
      }
      expect([2, 3]).toContain(lines.length - rows.length);
    }),
    { numRuns: 300 },
  );
});

test("wide characters count two, and columns stand below one another", () => {
  const lines = renderTable({
    columns: ["a", "b"],
    rows: [
      ["漢字", 1],
      ["x", 2],
    ],
  });
  expect(lines).toEqual(["a    | b", "-----+--", "漢字 | 1", "x    | 2"]);
});

test("what is too long is cut where it can be seen", () => {
  const [, rule, line] = renderTable({ columns: ["a"], rows: [["x".repeat(100)]] });
  expect(rule).toBe("-".repeat(COLUMN_WIDTH));
  expect(line).toBe(`${"x".repeat(COLUMN_WIDTH - 1)}…`);
  const [whole] = renderTable({ columns: ["x".repeat(COLUMN_WIDTH)], rows: [] });
  expect(whole).toBe("x".repeat(COLUMN_WIDTH));
});

test("columns without room are named", () => {
  const columns = Array.from({ length: 30 }, (_, at) => `column_number_${at}`);
  const lines = renderTable({ columns, rows: [columns] });
  expect(lines.at(-1)).toStartWith("[");
  expect(lines.at(-1)).toContain("more columns: column_number_");
});
