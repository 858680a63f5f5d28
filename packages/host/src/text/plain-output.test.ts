import { expect, test } from "bun:test";
import { plainOutput } from "./plain-output.ts";

test.each([
  ["plain", "plain\ttext\n", "plain\ttext\n"],
  ["colours", "\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07", "red link"],
  ["windows line ends", "a\r\nb\r\n", "a\nb\n"],
  ["a progress bar", "10%\r50%\r100%\ndone", "100%\ndone"],
  ["a cleared line", "working\r\n", "working\n"],
  ["overstrike", "b\bbo\bol\bld", "bold"],
  ["bells and zeros", "a\x07b\x00c", "abc"],
])("%s", (_name, given, plain) => {
  expect(plainOutput(given)).toBe(plain);
});
