import { expect, test } from "bun:test";
import fc from "fast-check";
import { boundOutput, DEFAULT_LIMITS, type OutputLimits } from "./bound-output.ts";

const NOTE = /\[… (\d+) lines, (\d+) bytes left out …\]/;
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

test("what fits is returned as it is", () => {
  const text = "a\nb\n";
  expect(boundOutput(text)).toEqual({ text, cutLines: 0, cutBytes: 0, shortenedLines: 0 });
});

test("keeps whole lines from both ends and says what it left out", () => {
  const lines = Array.from({ length: 10 }, (_, i) => `line ${i}`);
  const bounded = boundOutput(`${lines.join("\n")}\n`, { bytes: 1000, lines: 4, keep: "both" });
  expect(bounded.text).toBe("line 0\nline 1\n[… 6 lines, 42 bytes left out …]\nline 8\nline 9\n");
  expect(bounded.cutLines).toBe(6);
});

test("keeps only the head, or only the tail, where asked to", () => {
  const text = "1\n2\n3\n4";
  expect(boundOutput(text, { bytes: 100, lines: 2, keep: "head" }).text).toBe(
    "1\n2\n[… 2 lines, 3 bytes left out …]",
  );
  expect(boundOutput(text, { bytes: 100, lines: 2, keep: "tail" }).text).toBe(
    "[… 2 lines, 4 bytes left out …]\n3\n4",
  );
});

test("one endless line is cut inside, between whole characters", () => {
  const { text } = boundOutput("😀".repeat(1000), { bytes: 101, lines: 10, keep: "both" });
  expect(text).not.toContain("\ufffd");
  const [head, tail] = text.split(NOTE).filter((part) => part.includes("😀"));
  expect(bytesOf(head!.trim()) + bytesOf(tail!.trim())).toBe(96);
});

test("whatever comes in, the limits hold and nothing is invented", () => {
  const limits: OutputLimits = { bytes: 60, lines: 6, keep: "both" };
  const pieces = fc.constantFrom("a", "é", "日", "😀", "\n", "\r\n", " ");
  for (const keep of ["head", "tail", "both"] as const) {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 200 }), (parts) => {
        const whole = parts.join("");
        const bounded = boundOutput(whole, { ...limits, keep });
        if (bounded.cutBytes === 0) {
          expect(bounded.text).toBe(whole);
          return;
        }
        const [head = "", , , tail = ""] = bounded.text.split(NOTE);
        expect(whole.startsWith(head.replace(/\n$/, ""))).toBe(true);
        expect(whole.endsWith(tail.replace(/^\n/, ""))).toBe(true);
        expect(bytesOf(head) + bytesOf(tail)).toBeLessThanOrEqual(limits.bytes + 2);
        expect((head + tail).split("\n").length).toBeLessThanOrEqual(limits.lines + 3);
      }),
    );
  }
});

test("long lines lose their end, between whole characters, and say how much", () => {
  const limits: OutputLimits = { bytes: 1000, lines: 10, columns: 5, keep: "both" };
  const bounded = boundOutput("short\nabcdefgh\nabcd😀xyz\nend", limits);
  expect(bounded.text).toBe(
    "short\nabcde [… 3 characters left out]\nabcd [… 5 characters left out]\nend",
  );
  expect(bounded.shortenedLines).toBe(2);
});

test("what is exactly at a limit fits; one more does not", () => {
  const limits: OutputLimits = { bytes: 6, lines: 3, keep: "head" };
  for (const text of ["abcdef", "日本", "a\nb\nc\n", "a\nb\nc", ""]) {
    expect(boundOutput(text, limits)).toMatchObject({ text, cutBytes: 0, cutLines: 0 });
  }
  expect(boundOutput("abcdefg", limits)).toMatchObject({ cutBytes: 1, cutLines: 1 });
  expect(boundOutput("日本!", limits)).toMatchObject({ cutBytes: 1 });
  expect(boundOutput("a\nb\nc\nd", { ...limits, bytes: 99 })).toMatchObject({
    text: "a\nb\nc\n[… 1 lines, 1 bytes left out …]",
    cutBytes: 1,
    cutLines: 1,
  });
});

test("without limits of one's own they are the usual ones", () => {
  const lines = "x\n".repeat(DEFAULT_LIMITS.lines);
  expect(boundOutput(lines).cutBytes).toBe(0);
  expect(boundOutput(`${lines}y`).cutLines).toBe(1);
  expect(boundOutput("y".repeat(DEFAULT_LIMITS.columns!)).shortenedLines).toBe(0);
  expect(boundOutput("y".repeat(DEFAULT_LIMITS.columns! + 1)).shortenedLines).toBe(1);
});

test("whole lines are kept where they fit, part of one only where none does", () => {
  const text = "aaaa\nbbbb\ncccc\ndddd\n";
  const both = (bytes: number): string =>
    boundOutput(text, { bytes, lines: 99, keep: "both" }).text;
  expect(both(18)).toBe("aaaa\n[… 2 lines, 10 bytes left out …]\ndddd\n");
  expect(both(10)).toBe("aaaa\n[… 2 lines, 10 bytes left out …]\ndddd\n");
  expect(both(8)).toBe("aaaa\n[… 4 lines, 12 bytes left out …]\nddd\n");
  const head = (bytes: number): string =>
    boundOutput(text, { bytes, lines: 99, keep: "head" }).text;
  expect(head(10)).toBe("aaaa\nbbbb\n[… 2 lines, 10 bytes left out …]");
  expect(head(9)).toBe("aaaa\n[… 3 lines, 15 bytes left out …]");
  expect(head(3)).toBe("aaa\n[… 4 lines, 17 bytes left out …]");
  const tail = (bytes: number): string =>
    boundOutput(text, { bytes, lines: 99, keep: "tail" }).text;
  expect(tail(11)).toBe("[… 2 lines, 10 bytes left out …]\ncccc\ndddd\n");
  expect(tail(9)).toBe("[… 3 lines, 15 bytes left out …]\ndddd\n");
  expect(tail(3)).toBe("[… 4 lines, 17 bytes left out …]\ndd\n");
});

test("characters of every size are counted as they are encoded", () => {
  for (const [letter, size] of [
    ["a", 1],
    ["é", 2],
    ["日", 3],
    ["😀", 4],
    ["\ud800", 3],
    ["\u007f", 1],
    ["\u0080", 2],
    ["\u07ff", 2],
    ["\u0800", 3],
    ["\ue000", 3],
    ["\u{10000}", 4],
    ["\u{103ff}", 4],
  ] as const) {
    for (const keep of ["head", "tail"] as const) {
      const { cutBytes } = boundOutput(letter.repeat(20), { bytes: size * 5, lines: 9, keep });
      expect({ letter, keep, cutBytes }).toEqual({ letter, keep, cutBytes: size * 15 });
    }
  }
});

test("a line of exactly as many columns is whole; the last one may be shortened too", () => {
  const limits: OutputLimits = { bytes: 1000, lines: 10, columns: 3, keep: "both" };
  expect(boundOutput("abc\nabc", limits)).toMatchObject({ text: "abc\nabc", shortenedLines: 0 });
  expect(boundOutput("abc\nabcd", limits)).toMatchObject({
    text: "abc\nabc [… 1 characters left out]",
    shortenedLines: 1,
  });
  expect(boundOutput("abcd\n", limits).text).toBe("abc [… 1 characters left out]\n");
  expect(boundOutput("a\n\nb\n", limits)).toMatchObject({ text: "a\n\nb\n", shortenedLines: 0 });
});

test("no character of two halves is cut in two, and none of one half is taken for such", () => {
  const limits: OutputLimits = { bytes: 1000, lines: 10, columns: 5, keep: "both" };
  for (const pair of ["\u{10000}", "\u{10fc00}", "😀"]) {
    expect(boundOutput(`abcd${pair}xyz`, limits).text).toBe("abcd [… 5 characters left out]");
  }
  for (const single of ["\ud7ff", "\ue000", "Ａ"]) {
    const text = boundOutput(`abcd${single}xyz`, limits).text;
    expect(text).toBe(`abcd${single} [… 3 characters left out]`);
  }
});

test("a line that is too long ends what is kept, whatever came before it", () => {
  const limits: OutputLimits = { bytes: 50, lines: 10, keep: "head" };
  const long = "c".repeat(100);
  expect(boundOutput(`ab\n${long}`, limits).text).toBe("ab\n[… 1 lines, 100 bytes left out …]");
  expect(boundOutput(`\n${long}`, limits).text).toBe("[… 1 lines, 100 bytes left out …]");
});

test("nothing is never too much", () => {
  const nothing = { text: "", cutLines: 0, cutBytes: 0, shortenedLines: 0 };
  expect(boundOutput("", { bytes: 0, lines: 0, keep: "head" })).toEqual(nothing);
});

test("an empty first line is a line", () => {
  const limits: OutputLimits = { bytes: 1000, lines: 10, columns: 3, keep: "both" };
  expect(boundOutput("\nab\nab", limits).shortenedLines).toBe(0);
});
