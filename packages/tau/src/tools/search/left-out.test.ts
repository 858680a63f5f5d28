// What a search says of that which it does not show: a model that is told nothing takes it for nothing.

import { expect, test } from "bun:test";
import { ToolTable } from "@tau/agent/tool-table";
import { textOf } from "@tau/ai/message";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { Workspace } from "../workspace.ts";
import { createSearchTool } from "./tool.ts";

function searcher(scratch: ScratchDirectory) {
  const workspace = new Workspace({ cwd: scratch.root, env: { HOME: scratch.root } });
  const table = new ToolTable([createSearchTool(workspace)]);
  const { signal } = new AbortController();
  const search = async (pattern: string, paths = ".", rest: Record<string, unknown> = {}) => {
    const args = { pattern, paths, ...rest };
    const call = { type: "toolCall" as const, id: "c", name: "search", arguments: args };
    const { result, details } = await table.run(call, { signal, update: () => {} });
    return { text: textOf(result), details: details as { files: string[] } };
  };
  return { search, [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose]() };
}

test("a pattern whose groups do not close says that it was taken literally", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("a.ts", "call(1);\ncal();\n");
  await using s = searcher(scratch);
  const note = "[the pattern's groups do not close, so its parentheses were taken literally";
  expect((await s.search("call(")).text).toContain(note);
  expect((await s.search("nothing(")).text).toContain(note);
  expect((await s.search("(call|cal)")).text).not.toContain(note);
});

test("matches only among ignored files are counted, and how to see them is said", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write(".git/HEAD", "ref: refs/heads/main\n");
  await scratch.write(".gitignore", "dist/\n");
  await scratch.write("dist/a.js", "needle\n");
  await scratch.write("dist/b.js", "needle and thread\n");
  await scratch.write("src/a.ts", "thread\n");
  await using s = searcher(scratch);
  const { text } = await s.search("needle");
  expect(text).toBe(
    "No matches found\n\n[2 files match among what .gitignore leaves out: gitignore: false]",
  );
  expect((await s.search("needle", ".", { gitignore: false })).details.files).toHaveLength(2);
  expect((await s.search("needle and")).text).toContain("[1 file matches among what");
  // Where something is found, or nothing is anywhere, there is nothing to add.
  expect((await s.search("thread")).text).not.toContain("gitignore");
  expect((await s.search("nowhere")).text).toBe("No matches found");
});

test("further matches of a long line are counted, with the first of their columns", async () => {
  await using scratch = await createScratchDirectory();
  const line = Array.from({ length: 7 }, () => `needle${"x".repeat(594)}`).join("");
  await scratch.write("min.js", `${line}\n`);
  await using s = searcher(scratch);
  const { text } = await s.search("needle", "min.js");
  expect(text).toContain("[columns 1-512; 6 more matches at 601, 1201, 1801, 2401, …]");
  const { text: last } = await s.search("needlex{594}needlex{594}$", "min.js");
  expect(last).not.toContain("more match");
});
