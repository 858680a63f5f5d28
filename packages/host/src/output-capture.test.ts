// Both ends of an output within bounds: whole lines where there are lines, and true totals.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { OutputCapture } from "./output-capture.ts";

function capture(limit: number, ...chunks: readonly string[]) {
  const kept = new OutputCapture(limit);
  for (const chunk of chunks) kept.push(Buffer.from(chunk));
  return kept.result();
}

test("what fits is whole", () => {
  expect(capture(20, "one\n", "two\n").text).toBe("one\ntwo\n");
});

test("whole lines of both ends, with how much is between them", () => {
  const text = Array.from({ length: 2000 }, (_, at) => `${at + 1}\n`).join("");
  const { text: shown, omittedBytes } = capture(40, text);
  expect(shown).toBe(
    `1\n2\n3\n4\n5\n6\n7\n8\n9\n[… 1988 lines, 8860 bytes left out …]\n1998\n1999\n2000\n`,
  );
  expect(omittedBytes).toBe(8860);
});

test("one endless line is cut between characters", () => {
  const { text } = capture(16, "日".repeat(1000));
  expect(text).toBe("日日\n[… 0 lines, 2988 bytes left out …]\n日日");
});

test("the totals are true, however the chunks fall", () => {
  const line = fc.string({ maxLength: 12 }).map((text) => `${text.replaceAll("\n", "")}\n`);
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 2, max: 60 }), (lines, limit) => {
      const { text, omittedBytes, totalBytes } = capture(limit, ...lines);
      const whole = lines.join("");
      expect(totalBytes).toBe(Buffer.byteLength(whole));
      if (omittedBytes === 0) expect(text).toBe(whole);
      else {
        const note = /\n?\[… (\d+) lines, (\d+) bytes left out …\]\n/.exec(text)!;
        expect(Number(note[2])).toBe(omittedBytes);
        expect(text.length - note[0].length).toBeLessThanOrEqual(limit);
      }
    }),
  );
});
