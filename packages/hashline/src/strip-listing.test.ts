import { expect, test } from "bun:test";
import fc from "fast-check";
import { joinParts, textParts } from "../test/random-edits.ts";
import { printFileHeader } from "./file-header.ts";
import { LineIndex } from "./line-index.ts";
import { printNumberedLines } from "../test/print-patch.ts";
import { stripListing } from "./strip-listing.ts";
import { contentTag } from "./tag.ts";

test("a listing that is pasted back gives the lines it was made of", () => {
  fc.assert(
    fc.property(textParts(), fc.boolean(), (parts, withHeader) => {
      const text = joinParts({ ...parts, mark: "", isEnded: true }).replaceAll("\r\n", "\n");
      const index = new LineIndex(text);
      fc.pre(index.count >= (withHeader ? 1 : 3));
      const header = withHeader ? `${printFileHeader("a.ts", contentTag(text))}\n` : "";
      expect(stripListing(`${header}${printNumberedLines(index)}\n`)).toEqual({
        text,
        isStripped: true,
      });
    }),
  );
});

test("a part of a file under its header, and marked rows of a search", () => {
  expect(stripListing("¶a.ts#0A3B\n 41:a\n*42:b\n 43:c").text).toBe("a\nb\nc");
  expect(stripListing("\n¶a.ts#0A3B\r\n7:a\r\n8:b\r\n").text).toBe("a\r\nb\r\n");
});

test("a header of the very file goes, one of another is content", () => {
  expect(stripListing("¶a.ts#0A3B\nplain\n", { path: "a.ts" }).text).toBe("plain\n");
  expect(stripListing("¶b.ts#0A3B\nplain\n", { path: "a.ts" }).isStripped).toBe(false);
});

const GENUINE = [
  "",
  "\n",
  "12:foo",
  "12:foo\n",
  "1:a\n2:b\n",
  "12:foo\n13:bar\n14:baz\n",
  "1:a\n2:b\n4:d\n",
  "1:a\n2:b\nc\n",
  "10:30 start\n10:45 end\n",
  "1: one\n2: two\nthree\n4: four\n",
  "a\n1:b\n2:c\n3:d\n",
  "¶a.ts#0A3B\nreplace 1:\n+x\n",
  "¶ a pilcrow\n1:a\n2:b\n",
  "1:a\n\n2:b\n3:c\n",
];

test("genuine content stays as it is", () => {
  for (const text of GENUINE) expect(stripListing(text)).toEqual({ text, isStripped: false });
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.nat(), (lines, at) => {
      // A row without a number anywhere makes it no listing.
      const rows = lines.toSpliced(at % (lines.length + 1), 0, "no number");
      const text = rows.join("\n");
      fc.pre(!text.includes("¶"));
      expect(stripListing(text)).toEqual({ text, isStripped: false });
    }),
  );
});
