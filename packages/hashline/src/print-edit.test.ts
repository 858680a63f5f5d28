import { expect, test } from "bun:test";
import { parseFileHeader, printFileHeader } from "./file-header.ts";
import { printEdit, printWarnings } from "./print-edit.ts";

test("header, echo of blocks and changed lines", () => {
  const blocks = [
    { header: "replace block 2", start: 2, end: 3 },
    { header: "delete block 5", start: 5, end: 5 },
  ];
  expect(printEdit({ path: "a.ts", before: "a\nb\nc\n", after: "a\nx\n", blocks }, "0A3B")).toBe(
    "¶a.ts#0A3B\nreplace block 2 → resolved lines 2-3 (2 lines)\ndelete block 5 → resolved lines 5-5 (1 line)\n 1:a\n-2:b\n-3:c\n+2:x",
  );
  expect(printEdit({ path: "a.ts", before: "a\n", after: "a\r\n" }, "0A3B")).toBe(
    "¶a.ts#0A3B\nUpdated a.ts",
  );
});

test("warnings are told once each, none as nothing", () => {
  expect(printWarnings([])).toBe("");
  expect(printWarnings(["one", "two", "one"])).toBe("Warnings:\none\ntwo");
});

test("a header is read as it is printed, and misread letters are mended", () => {
  for (const path of ["a.ts", "dir/with space/b#c.ts", "C:/x", "ä"]) {
    expect(parseFileHeader(printFileHeader(path, "0A3B"))).toEqual({ path, tag: "0A3B" });
  }
  expect(parseFileHeader("¶a.ts#oAlB")?.tag).toBe("0A1B");
  expect(parseFileHeader("a.ts#0A3B")).toBeUndefined();
  expect(parseFileHeader("¶a.ts#0A3B  *** ")).toEqual({ path: "a.ts", tag: "0A3B" });
  // Blanks without end, as a model that has lost its way writes them.
  const lost = `a${" ".repeat(1_000_000)}b`;
  expect(parseFileHeader(`¶${lost}`)).toEqual({ path: lost, tag: undefined });
  expect(parseFileHeader("¶a.ts#0A3")).toEqual({ path: "a.ts#0A3", tag: undefined });
});
