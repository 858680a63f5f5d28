import { expect, test } from "bun:test";
import fc from "fast-check";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { Terminal } from "@xterm/headless";
import {
  clampRow,
  displayWidth,
  expandTabs,
  fitLine,
  fitLineEnd,
  fitLineMiddle,
  hyperlink,
  oneLine,
  padRow,
  sanitize,
  sliceColumns,
  splitRow,
} from "./width.ts";

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
  expect(fitLine(" \n\n b \n ", 20)).toBe(" ⏎ b ⏎ ");
  // A second for every few thousand blanks would be hours here.
  expect(fitLine(`${" ".repeat(5_000_000)}x`, 3)).toBe("  …");
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

const emulator = new Terminal({ cols: 10, rows: 2, allowProposedApi: true });
emulator.loadAddon(new UnicodeGraphemesAddon() as unknown as { activate(): void; dispose(): void });

/** What the emulator itself takes a text without escapes to be. */
function emulatorWidth(text: string): number {
  const internals = emulator as unknown as {
    _core: { unicodeService: { getStringCellWidth(text: string): number } };
  };
  return internals._core.unicodeService.getStringCellWidth(Bun.stripANSI(text));
}

// Wide, combining, joined, flags, skin tones, right to left, zalgo, invisible, and hostile.
const PIECES = [
  "a",
  " ",
  "  ",
  "word",
  "日",
  "本語",
  "한국",
  "é",
  "e\u0301",
  "\u0301",
  "👩‍👩‍👧‍👦",
  "👍🏽",
  "🇩🇪",
  "🇩",
  "❤️",
  "1️⃣",
  "☎︎",
  "שלום",
  "مرحبا",
  "\u202e",
  "\u200b",
  "\u00ad",
  "\u0600",
  "ำ",
  "กำ",
  "क्षि",
  "\t",
  "─",
  "█",
  "a\ufe0f",
  "Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308",
  "\u302a",
  "\ufeff",
  "﷽",
  "\u{10eeee}\u0305\u0305",
  "\x1b[31m",
  "\x1b[0m",
  "\x1b[1;38;2;1;2;3m",
  "\x1b]8;;https://x.test\x1b\\",
  "\x1b]8;;\x1b\\",
  "\x1b]52;c;aGk=\x07",
  "\x1b[2J",
  "\x1b[",
  "\x1b",
  "\u009b31m",
  "\x07",
  "\x1b]0;title",
  "\ud800",
];
const hostile = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...PIECES) },
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(""));
const columns = fc.integer({ min: 1, max: 30 });

test("no row is wider than its columns, by our measure and by the emulator's own", () => {
  fc.assert(
    fc.property(hostile, columns, (text, width) => {
      const rows = [clampRow(text, width), sliceColumns(text, 3, 3 + width)];
      for (const row of [
        ...rows,
        fitLine(text, width),
        fitLineEnd(text, width),
        fitLineMiddle(text, width),
      ]) {
        expect(displayWidth(row)).toBeLessThanOrEqual(width);
        expect(emulatorWidth(row)).toBeLessThanOrEqual(width);
      }
    }),
    { numRuns: 3_000 },
  );
});

test("a clamped row carries no escape but for colours and links", () => {
  fc.assert(
    fc.property(hostile, columns, (text, width) => {
      const rest = clampRow(text, width)
        .replaceAll(/\u001b\[[\d;:]*m/g, "")
        .replaceAll(/\u001b\]8;[^\u0007\u001b]*(\u0007|\u001b\\)/g, "");
      expect(rest).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }),
    { numRuns: 2_000 },
  );
});

test("slices side by side are the row again, and split rows too", () => {
  fc.assert(
    fc.property(hostile, fc.integer({ min: 4, max: 20 }), (text, width) => {
      const row = clampRow(text, 60);
      const parts = splitRow(row, width);
      expect(Bun.stripANSI(parts.join(""))).toBe(Bun.stripANSI(row));
      for (const part of parts) expect(displayWidth(part)).toBeLessThanOrEqual(width);
      const at = Math.floor(displayWidth(row) / 2);
      const halves =
        displayWidth(sliceColumns(row, 0, at)) + displayWidth(sliceColumns(row, at, 60));
      expect(halves).toBe(displayWidth(row));
    }),
    { numRuns: 1_500 },
  );
});

test("a slice keeps its styles, and half a wide character is a blank", () => {
  expect(sliceColumns("\x1b[1mab\x1b[32mcd\x1b[0m", 1, 3)).toBe("\x1b[1mb\x1b[32mc\x1b[0m");
  expect(sliceColumns("日本", 1, 3)).toBe("  ");
});

test("paths keep their end, names both ends", () => {
  expect(fitLineEnd("/a/very/long/path.ts", 9)).toBe("…/path.ts");
  expect(fitLineMiddle("abcdefghij", 5)).toBe("ab…ij");
  expect(padRow("日", 4)).toBe("日  ");
  expect(expandTabs("a\tb", 4)).toBe("a   b");
});

test("hostile text becomes harmless", () => {
  expect(sanitize("a\x1b]52;c;aGVsbG8=\x07b")).toBe("ab");
  expect(sanitize("user\u202etxt.exe")).toBe("usertxt.exe");
  expect(sanitize("\u009b31mred\u009d0;t\u009cx\r\ny")).toBe("redx\ny");
  expect(hyperlink("t", "https://x.test/\x1b[2J")).toBe("t");
});
