// Merge conflicts by number: reading a side, resolving one, resolving all; nothing is written
// where the file is another one by now.

import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { ToolTable } from "@tau/agent/tool-table";
import { textOf } from "@tau/ai/message";
import { workspaceTools } from "../../features/test/workspace-tools.ts";
import { Workspace } from "../workspace.ts";

const conflict = (ours: string, theirs: string) =>
  `<<<<<<< ours\r\n${ours}\r\n||||||| base\r\nold\r\n=======\r\n${theirs}\r\n>>>>>>> theirs\r\n`;
const FILE = `top\r\n${conflict("a", "b")}middle\r\n${conflict("c", "d")}end\r\n`;

async function open() {
  const scratch = await createScratchDirectory();
  await scratch.write("f.txt", FILE);
  const workspace = new Workspace({ cwd: scratch.root, env: { HOME: scratch.root } });
  const table = new ToolTable(await workspaceTools(workspace));
  const { signal } = new AbortController();
  const run = async (name: string, args: Record<string, unknown>) => {
    const call = { type: "toolCall" as const, id: "c", name, arguments: args };
    const { result } = await table.run(call, { signal, update: () => {} });
    return { text: textOf(result), isError: result.isError };
  };
  return {
    scratch,
    read: (path: string) => run("read", { path }),
    write: (path: string, content: string) => run("write", { path, content }),
    async [Symbol.asyncDispose]() {
      await workspace[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

test("one side, then the resolution; the other keeps its number", async () => {
  await using t = await open();
  expect((await t.write("conflict://1", "x")).text).toContain("No conflict is known yet");
  const shown = (await t.read("f.txt:conflicts")).text;
  expect(shown).toContain("conflict://1, lines 2-8");
  expect(shown).toContain("conflict://2, lines 10-16");
  expect((await t.read("conflict://1/ours")).text).toBe("a");
  expect((await t.read("conflict://1/base")).text).toBe("old");
  expect((await t.read("conflict://2/theirs")).text).toBe("d");
  expect((await t.write("conflict://1/ours", "x")).isError).toBe(true);
  const first = await t.write("conflict://1", "a and b\nboth\n");
  expect(first.text).toMatch(
    /^¶f\.txt#....\nResolved 1 conflict\. Left of those shown: conflict:\/\/2\.$/,
  );
  expect(await t.scratch.read("f.txt")).toBe(
    `top\r\na and b\r\nboth\r\nmiddle\r\n${conflict("c", "d")}end\r\n`,
  );
  await t.write("conflict://2", "");
  expect(await t.scratch.read("f.txt")).toBe("top\r\na and b\r\nboth\r\nmiddle\r\nend\r\n");
  expect((await t.write("conflict://2", "again")).isError).toBe(true);
});

test("all at once, over several files", async () => {
  await using t = await open();
  await t.scratch.write("g.txt", conflict("e", "f"));
  const first = (await t.read("f.txt:conflicts")).text;
  expect(first).toEndWith(
    "/theirs are its sides; conflict://* puts one text in place of each of the 2]",
  );
  await t.read("g.txt:conflicts");
  expect((await t.read("conflict://*")).text).toBe(
    "conflict://1: f.txt:2-8\nconflict://2: f.txt:10-16\nconflict://3: g.txt:1-7",
  );
  expect((await t.write("conflict://*", "same")).text).toEndWith(
    "Resolved 3 conflicts, each with this text. None of those shown is left; git add marks a file as resolved.",
  );
  expect(await t.scratch.read("f.txt")).toBe("top\r\nsame\r\nmiddle\r\nsame\r\nend\r\n");
  expect(await t.scratch.read("g.txt")).toBe("same\r\n");
});

test("a file that changed meanwhile is left alone", async () => {
  await using t = await open();
  await t.read("f.txt:conflicts");
  await t.scratch.write("f.txt", `new first line\r\n${FILE}`);
  const refused = await t.write("conflict://1", "x");
  expect(refused.isError).toBe(true);
  expect(await t.scratch.read("f.txt")).toBe(`new first line\r\n${FILE}`);
});
