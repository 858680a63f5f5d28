import { expect, test } from "bun:test";
import { LineIndex } from "./line-index.ts";
import { LineMap } from "./map-lines.ts";

/** For each line of the older text its number in the newer one, 0 where that is not certain. */
function mapped(older: string, newer: string): number[] {
  const index = new LineIndex(older.replaceAll(" ", "\n"));
  const map = new LineMap(index, new LineIndex(newer.replaceAll(" ", "\n")));
  return index.lines().map((_, at) => map.find(at + 1) ?? 0);
}

test("lines that stay are found, those that change are not", () => {
  expect(mapped("a b c d", "a b c d")).toEqual([1, 2, 3, 4]);
  expect(mapped("a b c d", "a B c d")).toEqual([1, 0, 3, 4]);
  expect(mapped("a b c d", "n a b d")).toEqual([2, 3, 0, 4]);
  expect(mapped("a b", "x y")).toEqual([0, 0]);
});

test("of equal lines next to a change it is not certain which is which", () => {
  expect(mapped("a x b", "a x x b")).toEqual([1, 0, 4]);
  expect(mapped("a x x x b", "a x x b")).toEqual([1, 0, 0, 0, 4]);
  expect(mapped("a p q b", "a p q p q b")).toEqual([1, 0, 0, 6]);
  expect(mapped("a p q p q b", "a p q b")).toEqual([1, 0, 0, 0, 0, 4]);
  expect(mapped("x a", "x n x a")).toEqual([0, 4]);
});

test("equal lines far from any change are certain", () => {
  expect(mapped("x a x b x", "x a x B x")).toEqual([1, 2, 3, 0, 5]);
});
