// Lines of files of any size: the same as splitting the whole text, without loading it.

import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { appendFile, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { LineOffsets } from "./line-offsets.ts";
import { readFileLines } from "./read-file-lines.ts";

const { signal } = new AbortController();
const LOTS = { maxLines: 1e9, maxBytes: 1e9, maxLineBytes: 1e9 };

/** As editors count: a line end at the end begins no further line. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => line.replace(/\r$/, ""));
}

test("any lines of any file are what splitting it gives", async () => {
  await using scratch = await createScratchDirectory();
  const path = scratch.path("f");
  const line = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom("", "é", "😀 wide", "x".repeat(300_000), "\r"),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        line.map((text) => text.replaceAll("\n", "")),
        { maxLength: 30 },
      ),
      fc.boolean(),
      fc.integer({ min: 1, max: 35 }),
      fc.option(fc.nat(10), { nil: undefined }),
      async (lines, endsWithLine, first, length) => {
        const text = lines.join("\n") + (endsWithLine && lines.length > 0 ? "\n" : "");
        await writeFile(path, text);
        const all = linesOf(text);
        const last = length === undefined ? undefined : first + length;
        const range = last === undefined ? { first } : { first, last };
        const read = await readFileLines(
          path,
          { ranges: [range], ...LOTS },
          { offsets: new LineOffsets(), signal },
        );
        expect(read.lines.map((one) => one.text)).toEqual(all.slice(first - 1, last));
        expect(read.lines.map((one) => one.number)).toEqual(read.lines.map((_, at) => first + at));
        if (read.lineCount !== undefined) expect(read.lineCount).toBe(all.length);
        if (first > all.length) expect(read.lineCount).toBe(all.length);
      },
    ),
    { numRuns: 150 },
  );
});

test("a place is found again, and another file of the same name is another file", async () => {
  await using scratch = await createScratchDirectory();
  const path = scratch.path("f");
  await writeFile(path, Array.from({ length: 50_000 }, (_, at) => `line ${at + 1}\n`).join(""));
  const offsets = new LineOffsets();
  const at = async (first: number) =>
    (
      await readFileLines(
        path,
        { ranges: [{ first, last: first + 1 }], ...LOTS },
        { offsets, signal },
      )
    ).lines.map((line) => line.text);
  for (const line of [40_000, 1, 1024, 1025, 2048, 49_999, 30_000]) {
    expect(await at(line)).toEqual([`line ${line}`, `line ${line + 1}`]);
  }
  await appendFile(path, "line 50001\n");
  expect(await at(50_000)).toEqual(["line 50000", "line 50001"]);
  await writeFile(path, "short\n");
  expect(await at(1)).toEqual(["short"]);
});

test("what may be given is bounded, and where to go on is said", async () => {
  await using scratch = await createScratchDirectory();
  const path = scratch.path("f");
  await writeFile(path, "aaaa\nbbbb\ncccc\ndddd\n");
  const read = (limits: Partial<typeof LOTS>) =>
    readFileLines(
      path,
      { ranges: [{ first: 1 }], ...LOTS, ...limits },
      { offsets: new LineOffsets(), signal },
    );
  expect(await read({ maxLines: 2 })).toMatchObject({ nextLine: 3 });
  expect((await read({ maxBytes: 12 })).lines.map((line) => line.text)).toEqual(["aaaa", "bbbb"]);
  const cut = await read({ maxLineBytes: 3 });
  expect(cut.lines[0]).toEqual({ number: 1, text: "aaa", cutBytes: 1 });
  await writeFile(path, "é€😀");
  expect((await read({ maxLineBytes: 6 })).lines[0]).toEqual({
    number: 1,
    text: "é€",
    cutBytes: 4,
  });
});

test("one line of two hundred megabytes is read in the memory of a few", async () => {
  await using scratch = await createScratchDirectory();
  const path = scratch.path("f");
  const piece = Buffer.alloc(20 * 1024 * 1024, "x");
  for (let at = 0; at < 10; at++) await appendFile(path, piece);
  await appendFile(path, "\nlast\n");
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const read = await readFileLines(
    path,
    { ranges: [{ first: 1 }], maxLines: 10, maxBytes: 50_000, maxLineBytes: 512 },
    { offsets: new LineOffsets(), signal },
  );
  expect(read.lines.map((line) => line.text.length)).toEqual([512, 4]);
  expect(read.lines[0]!.cutBytes).toBe(200 * 1024 * 1024 - 512);
  expect(process.memoryUsage.rss() - before).toBeLessThan(60e6);
});
