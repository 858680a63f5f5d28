import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { Workspace } from "../workspace.ts";
import { editedPaths as editedPathsIn } from "./edited-paths.ts";
import type { EditRequest } from "./plan-edit.ts";

async function editedPaths(request: EditRequest) {
  await using scratch = await createScratchDirectory();
  await scratch.write("old.ts", "x\n");
  await using workspace = new Workspace({ cwd: scratch.root, env: process.env });
  return editedPathsIn(request, workspace);
}

test("every file is named once, a move by both its ends, and what goes is known", async () => {
  const hashline =
    "¶a.ts#0A3F\ndelete 1\n¶b.ts#0A3F\nmove to c.ts\ndelete 2\n¶d.ts#0A3F\ndelete file\n";
  expect(await editedPaths({ mode: "hashline", input: hashline })).toEqual({
    paths: ["a.ts", "b.ts", "c.ts", "d.ts"],
    removed: new Set(["b.ts", "d.ts"]),
  });
  const diff = [
    ["--- a/a.ts", "+++ b/a.ts", "@@ -1 +1 @@", "-x", "+y"],
    ["--- a/old.ts", "+++ b/new.ts", "@@ -1 +1 @@", "-x", "+y"],
    ["--- /dev/null", "+++ b/made.ts", "@@ -0,0 +1 @@", "+y"],
  ];
  expect((await editedPaths({ mode: "patch", input: diff.flat().join("\n") })).paths).toEqual([
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
  expect(await editedPaths({ mode: "apply_patch", input: envelope.join("\n") })).toEqual({
    paths: ["a.ts", "../b.ts", "c.ts"],
    removed: new Set(["a.ts", "c.ts"]),
  });
  expect((await editedPaths({ mode: "replace", path: "a.ts", edits: [] })).paths).toEqual(["a.ts"]);
});

test("a text that is no edit names nothing", async () => {
  for (const mode of ["hashline", "patch", "apply_patch"] as const) {
    expect((await editedPaths({ mode, input: "no edit at all" })).paths).toEqual([]);
  }
});
