import { expect, test } from "bun:test";
import fc from "fast-check";
import { editDistance } from "./edit-distance.ts";

test("counts insertions, deletions, replacements and swaps", () => {
  expect(editDistance("models", "models")).toBe(0);
  expect(editDistance("modles", "models")).toBe(1);
  expect(editDistance("model", "models")).toBe(1);
  expect(editDistance("kitten", "sitting")).toBe(3);
  expect(editDistance("", "abc")).toBe(3);
});

test("distance is symmetric and zero only for equal words", () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
    }),
  );
});
