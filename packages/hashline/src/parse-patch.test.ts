import { expect, test } from "bun:test";
import fc from "fast-check";
import { hunksFor } from "../test/random-edits.ts";
import { printSection } from "../test/print-patch.ts";
import { EMPTY_ROWS_WARNING, UNMARKED_ROWS_WARNING } from "./open-hunk.ts";
import { FENCE_WARNING, MAX_PATCH_LENGTH, parsePatch } from "./parse-patch.ts";
import { PatchError } from "./patch-error.ts";

function refusal(input: string): PatchError {
  try {
    parsePatch(input);
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  return expect.unreachable("the patch was accepted");
}

test("sections, hunks and the lines of the patch they stand on", () => {
  const patch = parsePatch(
    "¶src/a b#c.ts#0A3B\nreplace 4..5:\n+one\n+\ndelete block 7\n\n¶b.ts#1F7C\ninsert tail:\n++x",
  );
  expect(patch).toEqual({
    isAborted: false,
    warnings: [],
    sections: [
      {
        path: "src/a b#c.ts",
        tag: "0A3B",
        patchLine: 1,
        hunks: [
          { kind: "replace", start: 4, end: 5, body: ["one", ""], patchLine: 2 },
          { kind: "delete_block", line: 7, patchLine: 5 },
        ],
        fileHunks: [],
      },
      {
        path: "b.ts",
        tag: "1F7C",
        patchLine: 7,
        hunks: [{ kind: "insert_tail", body: ["+x"], patchLine: 8 }],
        fileHunks: [],
      },
    ],
  });
});

test("what is tolerated is told", () => {
  const warnings = (rows: string) => parsePatch(`¶a#0A3B\n${rows}`).warnings;
  expect(warnings("replace 1:\n+x")).toEqual([]);
  expect(warnings("replace 1:\nx")).toEqual([UNMARKED_ROWS_WARNING]);
  expect(warnings("replace 1:\n+x\n\n+y")).toEqual([EMPTY_ROWS_WARNING]);
  expect(warnings("replace 1:\nx\ninsert tail:\ny")).toEqual([UNMARKED_ROWS_WARNING]);
  expect(parsePatch("```\n¶a#0A3B\ndelete 1\n```").warnings).toEqual([FENCE_WARNING]);
});

test("a refusal names the line of the patch and what to write instead", () => {
  const table: [string, number, string][] = [
    ["x", 1, "`¶PATH#TAG`"],
    ["¶a", 1, "`¶PATH#TAG`"],
    ["¶a#0A3B\n\nx", 3, "`replace N..M:`"],
    ["¶a#0A3B\nreplace 4..4:\n-x", 3, "`+-…`"],
    ["¶a#0A3B\nreplace 4..6:\n", 2, "`delete 4..6`"],
    ["¶a#0A3B\nreplace block 4:\n", 2, "`delete block 4`"],
    ["¶a#0A3B\ninsert head:\n", 2, "`+TEXT`"],
    ["¶a#0A3B\ndelete 4..6\n+x", 3, "`replace 4..6:`"],
    ["¶a#0A3B\ndelete block 4\n+x", 3, "`replace block 4:`"],
    ["¶a#0A3B\ndelete 4:", 2, "`delete 4..4`"],
    ["¶a#0A3B\n4 6", 2, "`replace 4..6:`"],
    ["¶a#0A3B\n@@ -1 +1 @@", 2, "`replace N..M:`"],
    ["¶a#0A3B\n*** Update File: b", 2, "`¶PATH#TAG`"],
    ["¶a#0A3B\nreplace 1..1: x", 2, "rows below the header"],
    ["¶a#0A3B\nreplace 1..1:\nx\ndelete 5", 4, "`delete 5..5`"],
  ];
  for (const [input, patchLine, hint] of table) {
    const error = refusal(input);
    expect(error).toMatchObject({ patchLine });
    expect(error.message).toStartWith(`Patch line ${patchLine}: `);
    expect(error.message).toContain(hint);
  }
});

test("a patch beyond all measure is refused before it is read", () => {
  expect(refusal("x".repeat(MAX_PATCH_LENGTH + 1)).code).toBe("too_large");
});

test("what is printed is parsed back", () => {
  fc.assert(
    fc.property(hunksFor(20), (hunks) => {
      const [section] = parsePatch(printSection("¶a/b.ts#0A3B", hunks)).sections;
      const withoutLines = (list: readonly object[]) =>
        list.map((hunk) => ({ ...hunk, patchLine: 0 }));
      expect(withoutLines(section!.hunks)).toEqual(withoutLines(hunks));
    }),
  );
});

const fragment = fc.constantFrom(
  "¶a.ts#0A3B",
  "¶",
  "#",
  "replace 1..2:",
  "replace",
  "delete 3",
  "insert head:",
  "block",
  "+",
  "-",
  "@@",
  "***",
  "*** Abort",
  "*** End Patch",
  "```",
  "..",
  ":",
  " ",
  "\r",
  "\n",
  "\n",
  "\n",
  "x",
  "12:",
  "=======",
);
const anyInput = fc.oneof(
  fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc
    .array(fc.string({ unit: "grapheme" }))
    .map((rows) => `¶a#0A3B\nreplace 1:\n${rows.join("\n")}`),
);

test("no input makes the parser throw anything but a refusal", () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      try {
        expect(parsePatch(input).sections).toBeArray();
      } catch (error) {
        expect(error).toBeInstanceOf(PatchError);
      }
    }),
    { numRuns: 3000 },
  );
});
