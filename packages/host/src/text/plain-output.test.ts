import { expect, test } from "bun:test";
import { plainOutput } from "./plain-output.ts";

test.each([
  ["plain", "plain\ttext\n", "plain\ttext\n"],
  ["colours", "\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07", "red link"],
  ["windows line ends", "a\r\nb\r\n", "a\nb\n"],
  ["a progress bar", "10%\r50%\r100%\ndone", "100%\ndone"],
  ["a cleared line", "working\r\n", "working\n"],
  ["overstrike", "b\bbo\bol\bld", "bold"],
  ["more backspaces than characters", "a\nbc\b\b\bd", "a\nd"],
  ["a backspaced character of two units", "a🙂\bb", "ab"],
  ["bells and zeros", "a\x07b\x00c", "abc"],
])("%s", (_name, given, plain) => {
  expect(plainOutput(given)).toBe(plain);
});

test("a flood of backspaces is taken in one pass", () => {
  const count = 200_000;
  // In passes over all of it, one a pair, this would take minutes.
  expect(plainOutput(`${"a".repeat(count)}${"\b".repeat(count)}b`)).toBe("b");
});
