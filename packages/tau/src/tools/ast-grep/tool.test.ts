// Which files a search means by its paths, and how what it found is shown.

import { symlink } from "node:fs/promises";
import { describe, expect, test } from "bun:test";
import { ToolTable } from "@tau/agent/tool-table";
import { textOf } from "@tau/ai/message";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { Workspace } from "../workspace.ts";
import type { FileToolSettings } from "../file-tool-settings.ts";
import { findSources } from "./find-sources.ts";
import { createAstGrepTool } from "./tool.ts";

const { signal } = new AbortController();

function workspaceIn(scratch: ScratchDirectory, settings: Partial<FileToolSettings> = {}) {
  return new Workspace({ cwd: scratch.root, env: { HOME: scratch.root }, settings });
}

async function search(workspace: Workspace, args: Record<string, unknown>) {
  const table = new ToolTable([createAstGrepTool(workspace)]);
  const call = { type: "toolCall" as const, id: "c", name: "ast_grep", arguments: args };
  const { result, details } = await table.run(call, { signal, update: () => {} });
  return { text: textOf(result), isError: result.isError, details };
}

describe("paths", () => {
  async function scratchTree(): Promise<ScratchDirectory> {
    const scratch = await createScratchDirectory();
    const files = ["a.ts", "src/b.ts", "src/deep/c.py", "src/a, b.ts", "src/data.bin", "src/run"];
    for (const path of files) await scratch.write(path, "");
    return scratch;
  }

  test.each<[string | string[], string[]]>([
    [".", ["a.ts", "src/a, b.ts", "src/b.ts", "src/deep/c.py", "src/run"]],
    ["*.py", ["src/deep/c.py"]],
    ["src/*.ts", ["src/a, b.ts", "src/b.ts"]],
    ["src/**/*.{ts,py}", ["src/a, b.ts", "src/b.ts", "src/deep/c.py"]],
    [
      ["src", "src/b.ts", "./src"],
      ["src/a, b.ts", "src/b.ts", "src/deep/c.py", "src/run"],
    ],
    ["a.ts,src/b.ts", ["a.ts", "src/b.ts"]],
    ["a.ts; src/*.py, src/**/*.{py,pyi}", ["a.ts", "src/deep/c.py"]],
    ["a.ts src/b.ts", ["a.ts", "src/b.ts"]],
    ["src/a, b.ts", ["src/a, b.ts"]],
    ['"a.ts"', ["a.ts"]],
    ['["a.ts", "src/b.ts"]', ["a.ts", "src/b.ts"]],
    ["src/data.bin", ["src/data.bin"]],
  ])("%j", async (paths, expected) => {
    await using scratch = await scratchTree();
    await using workspace = workspaceIn(scratch);
    const found = await findSources(workspace, { paths, signal });
    expect(found.paths.map((path) => workspace.files.shown(path))).toEqual(expected);
  });

  test("a language limits directories, not what is named", async () => {
    await using scratch = await scratchTree();
    await using workspace = workspaceIn(scratch);
    const wish = { paths: ["src", "a.ts", "src/*.bin"], language: "python", signal };
    const { paths } = await findSources(workspace, wish);
    expect(paths.map((path) => workspace.files.shown(path))).toEqual([
      "a.ts",
      "src/data.bin",
      "src/deep/c.py",
    ]);
  });

  test("two ways to a file are one file", async () => {
    await using scratch = await scratchTree();
    await symlink(scratch.path("src"), scratch.path("link"));
    await symlink(scratch.path("a.ts"), scratch.path("src/linked.ts"));
    await using workspace = workspaceIn(scratch);
    const { paths } = await findSources(workspace, {
      paths: ["link/*.ts", "src", "src/linked.ts", "a.ts"],
      signal,
    });
    expect(paths.map((path) => workspace.files.shown(path))).toEqual([
      "link/a, b.ts",
      "link/b.ts",
      "src/deep/c.py",
      "src/linked.ts",
      "src/run",
    ]);
  });

  test.each([
    [["", "a.ts"], "none of them empty"],
    [["nope.ts"], "nope.ts does not exist"],
    [["deep/c.py"], "Did you mean src/deep/c.py?"],
    [["nope/*.ts"], "nope/*.ts does not exist"],
    [["a.ts:3-9"], "without what follows"],
    [["local://*.ts"], "takes no wildcards"],
  ])("%j is refused with what to do", async (paths, hint) => {
    await using scratch = await scratchTree();
    await using workspace = workspaceIn(scratch);
    expect(findSources(workspace, { paths, signal })).rejects.toThrow(hint);
  });
});

test("what is shown can be edited: the tag is that of the whole text", async () => {
  await using scratch = await createScratchDirectory();
  const text = "\ufeffa();\r\nf(1);\r\nb();\r\n";
  const path = await scratch.write("a.ts", text);
  await using workspace = workspaceIn(scratch);
  const { text: shown, details } = await search(workspace, { pat: "f($A)", paths: ["a.ts"] });
  const [header, ...rows] = shown.split("\n");
  expect(rows).toEqual([" 1:a();", "*2:f(1);", "    $A=1", " 3:b();"]);
  const tag = header!.slice("¶a.ts#".length);
  const known = workspace.files.snapshots.find(await workspace.files.identify(path), tag);
  expect(known).toMatchObject({ kind: "found", snapshot: { text } });
  expect(details).toMatchObject({ matchCount: 1, files: [{ path, matches: 1 }] });
});

test("without an edit by lines there are no tags", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("a.ts", "f(1);\n");
  await using workspace = workspaceIn(scratch, { editMode: "replace" });
  const { text } = await search(workspace, { pat: "f($A)", paths: ["a.ts"] });
  expect(text).toBe("# a.ts\n*1|f(1);\n    $A=1");
});

test("long matches, long lines and many captures are cut and say so", async () => {
  await using scratch = await createScratchDirectory();
  const body = Array.from({ length: 20 }, (_, at) => `  line${at}();`).join("\n");
  await scratch.write("a.ts", `function f() {\n${body}\n}\nlet s = "${"é".repeat(600)}";\n`);
  await using workspace = workspaceIn(scratch);
  const long = await search(workspace, { pat: "function $F() { $$$B }", paths: "a.ts" });
  const rows = long.text.split("\n");
  expect(rows.filter((row) => row.startsWith("*"))).toHaveLength(6);
  expect(rows.at(-1)).toBe("    … to line 22  $F=f  $B=line0();…");
  const wide = await search(workspace, { pat: "let $S = $V", paths: "a.ts" });
  for (const row of wide.text.split("\n")) expect(row.length).toBeLessThan(600);
  expect(wide.text).toContain("…");
});

test("a page ends at a file before it grows too long", async () => {
  await using scratch = await createScratchDirectory();
  const line = `hit(${"x".repeat(480)});\n`;
  for (let at = 10; at < 30; at++) await scratch.write(`${at}.ts`, line.repeat(20));
  await using workspace = workspaceIn(scratch);
  const { text, details } = await search(workspace, { pat: "hit($$$)", paths: ["."] });
  const shown = text.match(/^¶/gm)!.length;
  expect(Buffer.byteLength(text)).toBeLessThan(50 * 1024 + 1000);
  expect(shown).toBeGreaterThan(2);
  expect(shown).toBeLessThan(20);
  expect(details).toMatchObject({ nextSkip: shown, fileCount: 20, matchCount: 400 });
  const next = await search(workspace, { pat: "hit($$$)", paths: ["."], skip: shown });
  expect(next.text).toStartWith(`¶${10 + shown}.ts#`);
});

test("what is cut of a file says how much there is and how to see the rest", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("many.ts", "f(1);\n".repeat(300));
  await scratch.write("wide.ts", `${`f(${"1, ".repeat(150)}1);\n`.repeat(150)}`);
  await scratch.write("huge.ts", "f(1);\n".repeat(2500));
  const workspace = workspaceIn(scratch);
  const pat = "f($$$A)";
  const alone = await search(workspace, { pat, paths: "many.ts" });
  expect(alone.text).toContain(
    "[200 of 300 matches; narrow the pattern, or read many.ts:201- for the others]",
  );
  const both = await search(workspace, { pat, paths: ["many.ts", "wide.ts"] });
  expect(both.text).toContain("[20 of 300 matches; search many.ts alone for the others]");
  // Not by the table, which would cut it in the middle of a line.
  const wide = await search(workspace, { pat, paths: "wide.ts" });
  expect(wide.text).toMatch(/\[(\d+) of 150 matches; narrow the pattern, or read wide\.ts:\d+-/);
  expect(Buffer.byteLength(wide.text)).toBeLessThan(50 * 1024);
  const huge = await search(workspace, { pat, paths: "huge.ts" });
  expect(huge.text).toContain("[200 of 2,500 matches; narrow");
  await scratch.write("more/a.ts", "f(1);\n".repeat(1500));
  const most = await search(workspace, { pat, paths: ["huge.ts", "more"] });
  expect(most.text).toContain(
    "Stopped at 4,000 matches, there may be more: narrow the pattern or paths.",
  );
});
