// The law of the reader: any chunking of the bytes gives the same lines, and none is kept that is
// longer than allowed.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { readLines, type InputLine } from "./line-reader.ts";

async function* chunks(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted(
    (a, b) => a - b,
  );
  let from = 0;
  for (const to of [...places, bytes.length]) {
    yield bytes.subarray(from, to);
    from = to;
  }
}

const linesOf = (text: string | Uint8Array, cuts: readonly number[] = [], maxBytes = 64) => {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return Array.fromAsync(readLines(chunks(bytes, cuts), { maxBytes }));
};

const line = (text: string): InputLine => ({ type: "line", text });

test("any chunking gives the same lines", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "binary", maxLength: 30 }).map((text) => text.toWellFormed())),
      fc.array(fc.nat()),
      async (texts, cuts) => {
        // A byte order mark is no part of a text.
        const lines = texts.map((text) => text.replaceAll("\n", " ").replace(/^\uFEFF+/, ""));
        const whole = lines.map((text) => `${text}\n`).join("");
        expect(await linesOf(whole, cuts, 1000)).toEqual(lines.map(line));
      },
    ),
    { numRuns: 60 },
  ));

test("a line that is too long is said to be, and the next one is whole", async () => {
  const text = `${"x".repeat(65)}\n${"y".repeat(64)}\n${"z".repeat(1000)}\nend`;
  for (const cuts of [[], [1, 64, 65, 66, 130], Array.from({ length: 1200 }, (_, at) => at)]) {
    expect(await linesOf(text, cuts)).toEqual([
      { type: "too_long" },
      line("y".repeat(64)),
      { type: "too_long" },
      line("end"),
    ]);
  }
});

test("bytes that are no text are told apart", async () => {
  const bytes = new Uint8Array([0xff, 0xfe, 0x0a, 0x61, 0x0a]);
  expect(await linesOf(bytes)).toEqual([{ type: "no_text" }, line("a")]);
});

test("nothing but a newline is an empty line; nothing at all is none", async () => {
  expect(await linesOf("\n")).toEqual([line("")]);
  expect(await linesOf("")).toEqual([]);
});
