import { expect, test } from "bun:test";
import fc from "fast-check";
import { isTooDeep, MAX_JSON_DEPTH } from "./json-depth.ts";

const nested = (depth: number, inside = "0"): string =>
  "[".repeat(depth) + inside + "]".repeat(depth);

test("the limit itself is allowed, one more is not, of either bracket", () => {
  expect(isTooDeep(nested(MAX_JSON_DEPTH))).toBe(false);
  expect(isTooDeep(nested(MAX_JSON_DEPTH + 1))).toBe(true);
  expect(isTooDeep('{"a":'.repeat(MAX_JSON_DEPTH + 1))).toBe(true);
});

test("brackets in strings, and beside each other, do not count", () => {
  expect(isTooDeep(JSON.stringify("[".repeat(1000)))).toBe(false);
  expect(isTooDeep(JSON.stringify(`\\"${"{".repeat(1000)}`))).toBe(false);
  expect(isTooDeep(`[${"[],".repeat(1000)}0]`)).toBe(false);
});

test("whatever is in it, a value of a few levels is never too deep", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(isTooDeep(JSON.stringify(value))).toBe(false);
      expect(isTooDeep(nested(MAX_JSON_DEPTH + 1, JSON.stringify(value)))).toBe(true);
    }),
  );
});
