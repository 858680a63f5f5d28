import { expect, test } from "bun:test";
import fc from "fast-check";
import { displayWidth, fitLine, oneLine } from "./width.ts";

test("wide characters take two columns, combining marks none", () => {
  expect(displayWidth("abc")).toBe(3);
  expect(displayWidth("日本")).toBe(4);
  expect(displayWidth("e\u0301")).toBe(1);
  expect(displayWidth("👩‍👩‍👧‍👦")).toBe(2);
});

test("what fits stays as it is, what does not ends in an ellipsis", () => {
  expect(fitLine("hello", 5)).toBe("hello");
  expect(fitLine("hello!", 5)).toBe("hell…");
  expect(fitLine("日本語", 4)).toBe("日…");
  expect(fitLine("a\n  b", 20)).toBe("a ⏎ b");
});

test("no text, however made, exceeds its columns or carries a control character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 0, max: 40 }), (text, columns) => {
      const line = fitLine(text, columns);
      expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    }),
  );
});

test("escape sequences in data are removed, not shown in part", () => {
  expect(oneLine("\u001b[31mred\u001b[0m")).toBe("red");
  expect(oneLine("\u001b]0;title\u0007text")).toBe("text");
});
