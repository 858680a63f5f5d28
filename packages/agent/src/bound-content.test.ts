import { expect, test } from "bun:test";
import { boundContent } from "./bound-content.ts";
import type { OutputLimits } from "./bound-output.ts";

const text = (text: string) => ({ type: "text" as const, text });
const NOTE = /\n?\[… \d+ lines, (\d+) bytes left out …\]\n?/;

/** How much of each block is left. */
async function left(limits: OutputLimits, ...blocks: string[]) {
  const { content } = await boundContent("t", blocks.map(text), limits, undefined);
  return content.map((block) => {
    const kept = block.type === "text" ? block.text.replace(NOTE, "") : "";
    return { chars: kept.length, lines: kept.split("\n").length };
  });
}

test("bytes are shared by all blocks, and the last ones get a little in any case", async () => {
  const limits: OutputLimits = { bytes: 3000, lines: 99, keep: "head" };
  const [one, two, three] = await left(
    limits,
    "a".repeat(1500),
    "b".repeat(1400),
    "c".repeat(1400),
  );
  expect([one!.chars, two!.chars, three!.chars]).toEqual([1500, 1400, 1024]);
  const [, rest] = await left(limits, "a".repeat(1500), "b".repeat(1600));
  expect(rest!.chars).toBe(1500);
});

test("lines are shared by all blocks, and the last ones get a few in any case", async () => {
  const limits: OutputLimits = { bytes: 9000, lines: 60, keep: "head" };
  const lines = (count: number): string => Array.from({ length: count }, () => "x").join("\n");
  const [one, two, three] = await left(limits, lines(35), lines(30), lines(30));
  expect([one!.lines, two!.lines, three!.lines]).toEqual([35, 25, 20]);
});

test("the other limits hold for each block", async () => {
  const limits: OutputLimits = { bytes: 9000, lines: 60, columns: 10, keep: "head" };
  const { content } = await boundContent(
    "t",
    [text("a".repeat(12)), text("b".repeat(12))],
    limits,
    undefined,
  );
  expect(content).toEqual([
    text(`${"a".repeat(10)} [… 2 characters left out]`),
    text(`${"b".repeat(10)} [… 2 characters left out]`),
  ]);
});

test("what was cut is kept whole under the tool's name; where it is, is said on a line of its own", async () => {
  const kept: string[][] = [];
  const spill = (...args: [string, string]) => {
    kept.push(args);
    return { id: "9" };
  };
  const limits: OutputLimits = { bytes: 9000, lines: 2, keep: "tail" };
  const bounded = await boundContent("t", [text("1\n2\n3\n"), text("end")], limits, spill);
  expect(bounded).toEqual({
    content: [
      text("[… 1 lines, 2 bytes left out …]\n2\n3\n[the whole output: artifact://9]"),
      text("end"),
    ],
    artifactId: "9",
  });
  expect(kept).toEqual([["t", "1\n2\n3\n\nend"]]);
});

test("what a tool gave is not touched", async () => {
  const block = text("a".repeat(50));
  await boundContent("t", [block], { bytes: 10, lines: 9, keep: "head" }, () => ({ id: "1" }));
  expect(block).toEqual(text("a".repeat(50)));
});
