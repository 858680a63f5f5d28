import { expect, test } from "bun:test";
import { editedPaths } from "./edited-paths.ts";

test("every file is named once, a move by both its ends, and what goes is known", () => {
  const hashline =
    "¶a.ts#0A3F\ndelete 1\n¶b.ts#0A3F\nmove to c.ts\ndelete 2\n¶d.ts#0A3F\ndelete file\n";
  expect(editedPaths({ mode: "hashline", input: hashline })).toEqual({
    paths: ["a.ts", "b.ts", "c.ts", "d.ts"],
    removed: new Set(["b.ts", "d.ts"]),
  });
  const diff = [
    ["--- a/a.ts", "+++ b/a.ts", "@@ -1 +1 @@", "-x", "+y"],
    ["--- a/old.ts", "+++ b/new.ts", "@@ -1 +1 @@", "-x", "+y"],
    ["--- /dev/null", "+++ b/made.ts", "@@ -0,0 +1 @@", "+y"],
  ];
  expect(editedPaths({ mode: "patch", input: diff.flat().join("\n") }).paths).toEqual([
    "a.ts",
    "old.ts",
    "new.ts",
    "made.ts",
  ]);
  const envelope = [
    "*** Begin Patch",
    "*** Update File: a.ts",
    "*** Move to: ../b.ts",
    "@@",
    "-x",
    "+y",
    "*** Delete File: c.ts",
    "*** End Patch",
  ];
  expect(editedPaths({ mode: "apply_patch", input: envelope.join("\n") })).toEqual({
    paths: ["a.ts", "../b.ts", "c.ts"],
    removed: new Set(["a.ts", "c.ts"]),
  });
  expect(editedPaths({ mode: "replace", path: "a.ts", edits: [] }).paths).toEqual(["a.ts"]);
});

test("a text that is no edit names nothing", () => {
  for (const mode of ["hashline", "patch", "apply_patch"] as const) {
    expect(editedPaths({ mode, input: "no edit at all" }).paths).toEqual([]);
  }
});
