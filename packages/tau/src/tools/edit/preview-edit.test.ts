import { expect, test } from "bun:test";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { seeTree } from "../../files/test/changed-tree.ts";
import { FILE_SIGN } from "@tau/hashline/file-header";
import type { EditMode } from "../file-tool-settings.ts";
import { Workspace } from "../workspace.ts";
import { parsePartialJson } from "./partial-json.ts";
import { planEdit, type EditRequest } from "./plan-edit.ts";
import { previewEdit } from "./preview-edit.ts";
import { detailsOf } from "./print-result.ts";

const TEXT = "one\ntwo\nthree\nfour\nfive\n";

function workspaceIn(scratch: ScratchDirectory, editMode: EditMode): Workspace {
  const env = { HOME: scratch.path("home") };
  return new Workspace({ cwd: scratch.path("work"), env, settings: { editMode } });
}

test("JSON that is whole is read as JSON, and what has come of a string is its beginning", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(parsePartialJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(), (input, cut) => {
      const whole = JSON.stringify({ other: [1, { x: null }], input });
      const part = parsePartialJson(whole.slice(0, cut % (whole.length + 1)));
      const found = (part as { input?: string } | undefined)?.input ?? "";
      expect(input.startsWith(found)).toBe(true);
    }),
  );
});

test("no text at all makes the reader of partial JSON fail", () => {
  const junk = fc.array(fc.constantFrom(...'{}[]",:\\u12.-e tn', "true", '"a"'), { maxLength: 30 });
  fc.assert(
    fc.property(junk, (parts) => {
      const value: unknown = parsePartialJson(parts.join(""));
      expect(value === undefined || JSON.stringify(value) !== undefined).toBe(true);
    }),
  );
});

interface Sample {
  mode: EditMode;
  args: (tag: string) => Record<string, unknown>;
}

const SAMPLES: Sample[] = [
  {
    mode: "hashline",
    args: (tag) => ({
      input: `${FILE_SIGN}a.txt#${tag}\nreplace 2..3:\n+zwei "2"\n+drei\ninsert tail:\n+Ende\n`,
    }),
  },
  {
    mode: "replace",
    args: () => ({
      path: "a.txt",
      edits: [
        { oldText: "two\nthree", newText: "2\n3" },
        { oldText: "five", newText: "5" },
      ],
    }),
  },
  {
    mode: "patch",
    args: () => ({
      input: "--- a/a.txt\n+++ b/a.txt\n@@\n one\n-two\n+zwei\n three\n@@\n four\n-five\n+fünf\n",
    }),
  },
  {
    mode: "apply_patch",
    args: () => ({
      input:
        "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+zwei\n*** Add File: n.txt\n+new\n*** End Patch\n",
    }),
  },
];

for (const { mode, args } of SAMPLES) {
  test(`${mode}: every beginning has a preview, the whole has the edit's own diff`, async () => {
    await using scratch = await createScratchDirectory();
    const path = await scratch.write("work/a.txt", TEXT);
    await using workspace = workspaceIn(scratch, mode);
    const { tag } = workspace.files.snapshots.record(path, TEXT);
    const given = args(tag);
    const json = JSON.stringify(given);
    const before = await seeTree(scratch.root);
    let shown = 0;
    for (let cut = 0; cut <= json.length; cut++) {
      const { files } = await previewEdit(json.slice(0, cut), workspace);
      if (files.some(({ diff }) => diff !== "")) shown += 1;
    }
    expect(shown).toBeGreaterThan(20);
    const plan = await planEdit({ mode, ...given } as EditRequest, workspace);
    if (plan.kind !== "planned") throw new Error("the sample does not fit");
    const details = detailsOf(plan.changes, workspace);
    const whole = await previewEdit(json, workspace);
    expect(whole.files.map(({ diff }) => diff).join("")).toBe(details.diff);
    expect(await seeTree(scratch.root)).toEqual(before);
  });
}

test("what cannot be shown is left out, and a certain refusal is told early", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("work/a.txt", TEXT);
  await using workspace = workspaceIn(scratch, "hashline");
  const preview = (input: string) => previewEdit(JSON.stringify({ input }), workspace);
  expect(await preview("¶a.txt#0000\ndelete 1\n")).toEqual({ files: [] });
  expect((await preview("¶a.txt#0000\nreplace 1:\n-x\n")).problem).toContain("Patch line 3");
  expect(await previewEdit("not JSON", workspace)).toEqual({ files: [] });
  expect(await previewEdit("[1, 2", workspace)).toEqual({ files: [] });
  const huge = `¶a.txt#0000\ninsert tail:\n${"+x\n".repeat(500_000)}`;
  expect((await preview(huge)).files).toEqual([]);
});
