import { expect, test } from "bun:test";
import fc from "fast-check";
import { joinParts, textParts } from "../test/random-edits.ts";
import { haveSameLines, LineIndex } from "./line-index.ts";

test("lines, their ends, and what is no line", () => {
  const index = new LineIndex("\uFEFFone\r\ntwo\n\nfo\rur");
  expect(index.lines()).toEqual(["one", "two", "", "fo\rur"]);
  expect([1, 2, 3, 4].map((line) => index.ending(line))).toEqual(["\r\n", "\n", "\n", undefined]);
  expect(index.isEnded).toBe(false);
  expect([1, 2, 4].map((line) => index.endingNear(line))).toEqual(["\r\n", "\n", "\n"]);
  expect(new LineIndex("").count).toBe(0);
  expect(new LineIndex("\uFEFF").count).toBe(0);
  expect(new LineIndex("\n").lines()).toEqual([""]);
  expect(new LineIndex("a\r\r\n").lines()).toEqual(["a\r"]);
});

test("the lines and their ends make the text again", () => {
  fc.assert(
    fc.property(fc.oneof(textParts().map(joinParts), fc.string({ unit: "binary" })), (text) => {
      const index = new LineIndex(text);
      const lines = index.lines().map((line, at) => line + (index.ending(at + 1) ?? ""));
      expect(text.slice(0, index.offset(1)) + lines.join("")).toBe(text);
      expect(haveSameLines(text, text.replaceAll("\r\n", "\n"))).toBe(true);
    }),
  );
});
