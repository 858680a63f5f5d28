import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { styleOnly } from "./style-only.ts";

describe("styleOnly", () => {
  test.each([
    ["a clipboard", "a\u001b]52;c;aGk=\u0007b", "ab"],
    ["a title", "a\u001b]0;mine\u001b\\b", "ab"],
    ["a cleared screen", "a\u001b[2J\u001b[Hb", "ab"],
    ["a sequence without an end", "a\u001b]52;c;aGk", "a"],
    ["the eight-bit forms", "a\u009b2Jb\u009d0;x\u0007c", "abc"],
    ["a bell and a backspace", "rm\u0007\b\bls", "rmls"],
    ["a line written over another", "safe\rrm -rf", "safe\nrm -rf"],
    ["a device's answer", "a\u001bP1$r\u001b\\b\u001bcd", "abd"],
    ["a link with more in it", "\u001b]8;;a b\u001b\\x", "x"],
  ])("takes out %s", (_what, text, expected) => {
    expect(styleOnly(text)).toBe(expected);
  });

  test("leaves colours, links, tabs, lines and every script alone", () => {
    const text =
      "\u001b[1;31mred\u001b[0m\t\u001b]8;;https://a.b/c\u001b\\link\u001b]8;;\u001b\\\n日本 é 👩‍👩‍👧";
    expect(styleOnly(text)).toBe(text);
  });

  test("whatever comes, only these are left, and doing it twice changes nothing", () => {
    const sign = fc.constantFrom(
      "\u001b",
      "[",
      "]",
      "8",
      ";",
      "m",
      "\u0007",
      "\\",
      "\u009b",
      "J",
      "x",
      "P",
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 40 }), (signs) => {
        const once = styleOnly(signs.join(""));
        const rest = once.replace(/\u001b\[[\d;:]*m|\u001b\]8;;[\u0021-\u007e]*\u001b\\/g, "");
        expect(rest).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        expect(styleOnly(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});
