import { expect, test } from "bun:test";
import fc from "fast-check";
import { editLine } from "./edit-line.ts";

const typed = (keys: string): string => [...keys].reduce(editLine, "");

test("keys erase a letter as it is seen, a word, or all of it", () => {
  expect(typed("abcX\u007fd")).toBe("abcd");
  expect(typed("ae\u0301\b")).toBe("a");
  expect(typed("a👩‍💻\u007f")).toBe("a");
  expect(typed("one two  \u0017three")).toBe("one three");
  expect(typed("one\u0017\u0017\u007f")).toBe("");
  expect(typed("gone\u0015here")).toBe("here");
  expect(typed("a\tb")).toBe("a\tb");
});

test("whatever is pressed, a line has no control characters, and Ctrl-U leaves nothing", () => {
  const key = fc.oneof(fc.integer({ min: 0, max: 0xa0 }), fc.integer({ min: 0x20, max: 0x2fff }));
  fc.assert(
    fc.property(fc.array(key), (codes) => {
      const line = codes.map((code) => String.fromCodePoint(code)).reduce(editLine, "");
      expect(line).not.toMatch(/[\0-\x08\x0a-\x1f\x7f-\x9f]/);
      expect(editLine(line, "\u0015")).toBe("");
      expect(line.startsWith(editLine(line, "\u007f"))).toBe(true);
      expect(line.startsWith(editLine(line, "\u0017"))).toBe(true);
    }),
  );
});
