import { expect, test } from "bun:test";
import fc from "fast-check";
import { boundOutput, type OutputLimits } from "./bound-output.ts";

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
