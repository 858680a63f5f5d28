import { expect, test } from "bun:test";
import { applyHunks } from "../test/apply-hunks.ts";
import { parsePatch } from "./parse-patch.ts";
import { PASTED_NUMBERS_WARNING } from "./pasted-rows.ts";

function edit(text: string, rows: string): { text: string; warnings: string[] } {
  return applyHunks(text, parsePatch(`¶a#0A3B\n${rows}`).sections[0]!.hunks);
}

test("numbers of a listing in front of rows are left out, and that is told", () => {
  const { text, warnings } = edit("a\nb\nc\n", "replace 2..3:\n+2:x\n+3:y\n+4:z");
  expect(text).toBe("a\nx\ny\nz\n");
  expect(warnings).toEqual([PASTED_NUMBERS_WARNING]);
});

test("in a file of numbered lines a number is content", () => {
  const { text, warnings } = edit("1:a\n2:b\n3:c\n", "replace 2..2:\n+2:x");
  expect(text).toBe("1:a\n2:x\n3:c\n");
  expect(warnings).toEqual([]);
});

test("numbers that are not those of the place are content", () => {
  expect(edit("a\nb\nc\n", "replace 2..2:\n+7:x").text).toBe("a\n7:x\nc\n");
  expect(edit("a\nb\nc\n", "replace 2..2:\n+2:x\n+9:y").text).toBe("a\n2:x\n9:y\nc\n");
});
