// The law of a preview: what is written is exactly what was shown, in every file, or nothing is
// written at all.

import { chmod, rm, symlink, writeFile } from "node:fs/promises";
import { expect, test } from "bun:test";
import { ToolError } from "@tau/agent/tool";
import { ToolTable } from "@tau/agent/tool-table";
import { textOf } from "@tau/ai/message";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { Workspace } from "../workspace.ts";
import { createAstEditTool } from "./tool.ts";

const { signal } = new AbortController();

async function preview(workspace: Workspace, args: Record<string, unknown>) {
  const table = new ToolTable([createAstEditTool(workspace)]);
  const call = { type: "toolCall" as const, id: "c", name: "ast_edit", arguments: args };
  const { result, details } = await table.run(call, { signal, update: () => {} });
  return { text: textOf(result), isError: result.isError, details };
}

const settle = (workspace: Workspace) => workspace.files.previews.take()!.apply("", { signal });

const piece = fc.constantFrom(
  "old(1);",
  "old(a, 'b');",
  "keep();",
  "/* old(2) */",
  "",
  "  old(`x${y}`);",
);
const source = fc
  .tuple(
    fc.constantFrom("", "\ufeff"),
    fc.constantFrom("\n", "\r\n"),
    fc.array(piece, { maxLength: 8 }),
  )
  .map(([mark, end, lines]) => mark + lines.map((line) => line + end).join(""));
const spoiler = fc.constantFrom("none", "changed", "gone", "emptied", "ends");

test("all of it is written as shown, or none of it", async () => {
  await using scratch = await createScratchDirectory();
  await using workspace = new Workspace({ cwd: scratch.root, env: { HOME: scratch.root } });
  const property = fc.asyncProperty(
    fc.array(source, { minLength: 1, maxLength: 4 }),
    spoiler,
    fc.nat(),
    async (texts, spoil, which) => {
      const paths = texts.map((_, at) => `p/${at}.ts`);
      await rm(scratch.path("p"), { recursive: true, force: true });
      for (const [at, path] of paths.entries()) await scratch.write(path, texts[at]!);
      const ops = [{ pat: "old($$$A)", out: "neu($$$A)" }];
      await preview(workspace, { ops, paths: ["p"] });
      const wanted = texts.map((text) =>
        text.replaceAll(/^(\s*)old\((?!2)/gm, "$1neu(").replaceAll("\ufeffold(", "\ufeffneu("),
      );
      const touched = paths.filter((_, at) => wanted[at] !== texts[at]);
      expect(workspace.files.previews.all).toHaveLength(touched.length > 0 ? 1 : 0);
      if (touched.length === 0) return;
      const spoiled = touched[which % touched.length]!;
      const before = texts[paths.indexOf(spoiled)]!;
      if (spoil === "changed") await scratch.write(spoiled, `${before} `);
      if (spoil === "emptied") await scratch.write(spoiled, "");
      if (spoil === "gone") await rm(scratch.path(spoiled));
      if (spoil === "ends") await scratch.write(spoiled, swapEnds(before));
      if (spoil === "none") await settle(workspace);
      else await expect(settle(workspace)).rejects.toBeInstanceOf(ToolError);
      for (const [at, path] of paths.entries()) {
        if (spoil !== "none" && path === spoiled) continue;
        expect(await scratch.read(path)).toBe(spoil === "none" ? wanted[at]! : texts[at]!);
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
}, 120_000);

function swapEnds(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\n", "\r\n");
}

test("new texts are known as written here; modes and links stay", async () => {
  await using scratch = await createScratchDirectory();
  const path = await scratch.write("real.sh", "#!/bin/sh\nold 1\n");
  await chmod(path, 0o755);
  await symlink(path, scratch.path("link.sh"));
  await using workspace = new Workspace({ cwd: scratch.root, env: { HOME: scratch.root } });
  const { text, details } = await preview(workspace, {
    ops: [{ pat: "old $A", out: "neu $A" }],
    paths: ["link.sh"],
  });
  expect(text).toContain("-2:old 1\n+2:neu 1");
  expect(details).toMatchObject({ applied: false, totalReplacements: 1, preview: "preview-1" });
  const applied = await settle(workspace);
  expect(await scratch.read("real.sh")).toBe("#!/bin/sh\nneu 1\n");
  expect((await Bun.file(path).stat()).mode & 0o777).toBe(0o755);
  expect(workspace.files.snapshots.latest(path)).toMatchObject({
    text: "#!/bin/sh\nneu 1\n",
    origin: "written",
  });
  expect(applied.details).toMatchObject({ applied: true, totalReplacements: 1 });
});

test("operations that fit only some languages are done where they fit", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("a.ts", "f(1);\nconst x = 1;\n");
  await scratch.write("b.py", "f(1)\n");
  await using workspace = new Workspace({ cwd: scratch.root, env: { HOME: scratch.root } });
  const ops = [
    { pat: "f($A)", out: "g($A)" },
    { pat: "const $N = $V;", out: "let $N = $V;" },
  ];
  const { text } = await preview(workspace, { ops, paths: ["."] });
  expect(text).toContain("3 replacements in 2 files");
  expect(text).toContain("Passed over in python: the pattern is not valid code there.");
});

test("two previews of one file: the second one is stale after the first", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("a.ts", "f(1);\ng(1);\n");
  await using workspace = new Workspace({ cwd: scratch.root, env: { HOME: scratch.root } });
  for (const name of ["f", "g"]) {
    await preview(workspace, { ops: [{ pat: `${name}($A)`, out: "h($A)" }], paths: "a.ts" });
  }
  await settle(workspace);
  await expect(settle(workspace)).rejects.toThrow("no longer what the preview was made from");
  expect(await scratch.read("a.ts")).toBe("h(1);\ng(1);\n");
});

test("a limit of files is kept and told", async () => {
  await using scratch = await createScratchDirectory();
  for (const name of ["a", "b", "c"]) await scratch.write(`${name}.ts`, "f(1);\n");
  const env = { HOME: scratch.root, TAU_MAX_AST_FILES: "2" };
  await using workspace = new Workspace({ cwd: scratch.root, env });
  const ops = [{ pat: "f($A)", out: "g($A)" }];
  const { text, details } = await preview(workspace, { ops, paths: ["."] });
  expect(details).toMatchObject({ filesTouched: 2, limitReached: true });
  expect(text).toContain("Limit reached; narrow paths.");
  await writeFile(scratch.path("c.ts"), "");
  await settle(workspace);
  expect(await scratch.read("b.ts")).toBe("g(1);\n");
});
