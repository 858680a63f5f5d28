// Writing whole files, through the tool as a session calls it.

import { describe, expect, test } from "bun:test";
import { chmod, mkdir, readFile, stat, symlink } from "node:fs/promises";
import { ToolTable } from "@tau/agent/tool-table";
import { textOf } from "@tau/tau/sdk";
import type { FileToolSettings } from "@tau/tau/tools/file-tool-settings";
import { Workspace } from "@tau/tau/tools/workspace";
import { createWriteTool, type WriteToolOptions } from "@tau/tau/tools/write/tool";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";

interface Setup extends WriteToolOptions {
  settings?: Partial<FileToolSettings>;
}

function open(scratch: ScratchDirectory, { settings = {}, ...options }: Setup = {}) {
  const env = { HOME: scratch.path("home") };
  const workspace = new Workspace({ cwd: scratch.path("work"), env, settings });
  const table = new ToolTable([createWriteTool(workspace, options)]);
  return async (path: string, content: string) => {
    const call = {
      type: "toolCall" as const,
      id: "c",
      name: "write",
      arguments: { path, content },
    };
    const signal = new AbortController().signal;
    const { result, details } = await table.run(call, { signal, update: () => {} });
    return { text: textOf(result), isError: result.isError, details };
  };
}

async function place(): Promise<ScratchDirectory> {
  const scratch = await createScratchDirectory();
  await mkdir(scratch.path("work"));
  return scratch;
}

test("new and old files, with real bytes and the tag of what was written", async () => {
  await using scratch = await place();
  const write = open(scratch);
  const made = await write("deep/er/ä.txt", "Grüße\r\nzwei");
  expect(made.text).toMatch(
    /^¶deep\/er\/ä\.txt#\w{4}\nWrote 13 bytes to deep\/er\/ä\.txt \(a new file, 2 lines\)\.$/,
  );
  expect(made.details).toEqual({ path: "deep/er/ä.txt", op: "create", bytes: 13, lines: 2 });
  expect(await scratch.read("work/deep/er/ä.txt")).toBe("Grüße\r\nzwei");
  const again = await write("./deep/er/ä.txt", "");
  expect(again.text).toContain("Wrote 0 bytes to deep/er/ä.txt (0 lines).");
  expect(again.details).toMatchObject({ op: "update", diff: expect.stringContaining("-zwei") });
  expect(await scratch.read("work/deep/er/ä.txt")).toBe("");
});

test("permissions stay, scripts become executable, links lead to their files", async () => {
  await using scratch = await place();
  const write = open(scratch);
  const path = await scratch.write("work/tool", "old");
  await chmod(path, 0o640);
  await write("tool", "still no script\n");
  expect((await stat(path)).mode & 0o777).toBe(0o640);
  const script = await write("tool", "#!/bin/sh\n");
  expect(script.details).toMatchObject({ madeExecutable: true });
  expect((await stat(path)).mode & 0o777).toBe(0o750);
  expect((await write("tool", "#!/bin/sh\ntrue\n")).details).toMatchObject({
    madeExecutable: undefined,
  });
  const outside = await scratch.write("outside.txt", "there");
  await symlink(outside, scratch.path("work/link.txt"));
  const through = await write("link.txt", "here");
  expect(through.text).toContain(`link.txt leads to ${outside}: that file was changed.`);
  expect(await readFile(outside, "utf8")).toBe("here");
});

test.each([
  ["CRLF", "a\r\nb\r\n", "x\ny\n", "x\r\ny\r\n", "[kept the file's CRLF line ends]"],
  ["a mark", "\uFEFFa\n", "x\n", "\uFEFFx\n", "[kept the file's byte order mark]"],
  [
    "both",
    "\uFEFFa\r\n",
    "x\ny",
    "\uFEFFx\r\ny",
    "[kept the file's CRLF line ends and its byte order mark]",
  ],
  ["CRLF that was sent", "a\r\n", "x\r\n", "x\r\n", undefined],
  ["mixed ends are not kept", "a\r\nb\n", "x\n", "x\n", undefined],
  ["LF", "a\n", "x\n", "x\n", undefined],
  ["nothing at all", "\uFEFFa\r\n", "", "", undefined],
])("the file's own form stays: %s", async (_, before, content, after, note) => {
  await using scratch = await place();
  const path = await scratch.write("work/a.txt", before);
  const { text } = await open(scratch)("a.txt", content);
  expect(await readFile(path, "utf8")).toBe(after);
  expect(text.split("\n").at(-1)).toBe(note ?? text.split("\n")[1]!);
});

describe("a listing that comes back as content", () => {
  const LISTING = "¶a.txt#0A3B\n1:one\n2:two\n";

  test("loses its header and numbers where listings have them", async () => {
    await using scratch = await place();
    const { text } = await open(scratch)("a.txt", LISTING);
    expect(text).toContain("header and line numbers of a listing were left out");
    expect(await scratch.read("work/a.txt")).toBe("one\ntwo\n");
  });

  test("is content where they have none, and what only resembles one always is", async () => {
    await using scratch = await place();
    await open(scratch, { settings: { editMode: "replace" } })("a.txt", LISTING);
    expect(await scratch.read("work/a.txt")).toBe(LISTING);
    const { text } = await open(scratch)("b.txt", "12:foo\n14:bar\n");
    expect(text).not.toContain("left out");
    expect(await scratch.read("work/b.txt")).toBe("12:foo\n14:bar\n");
  });
});

describe("what is refused, with nothing written", () => {
  test("by what is there", async () => {
    await using scratch = await place();
    const write = open(scratch);
    await mkdir(scratch.path("work/dir"));
    await scratch.write("work/bun.lock", "{}");
    await scratch.write("work/gen.ts", "// @generated\n");
    await scratch.write("work/logo.png", "\x89PNG\0\0");
    await scratch.write("work/a.ts", "a\n");
    await chmod(await scratch.write("work/fixed", "x"), 0o444);
    await symlink("nowhere", scratch.path("work/dangling"));
    expect(await Bun.spawn(["mkfifo", scratch.path("work/pipe")]).exited).toBe(0);
    const refusals: [string, string][] = [
      ["dir", "is a directory. Name a file inside it."],
      ["new/", "names a directory"],
      ["bun.lock", "run the package manager"],
      ["gen.ts", "run its generator"],
      ["logo.png", "binary file"],
      ["fixed", "read-only"],
      ["dangling", "which does not exist"],
      ["pipe", "not a regular file"],
      ["a.ts:3-4", "Change a part with edit"],
      ["a.ts/below", "not a directory"],
    ];
    for (const [path, words] of refusals) {
      const { text, isError } = await write(path, "content");
      expect({ path, text, isError }).toEqual({
        path,
        text: expect.stringContaining(words),
        isError: true,
      });
    }
    expect(await scratch.read("work/gen.ts")).toBe("// @generated\n");
    const half = await write("half.txt", "\udc00");
    expect(half.text).toContain("half of a surrogate pair");
    const allowed = open(scratch, { settings: { blockAutoGenerated: false } });
    expect((await allowed("bun.lock", "{ }")).isError).toBe(false);
  });

  test("text in another encoding may be replaced, as nobody has to read it", async () => {
    await using scratch = await place();
    await scratch.write("work/latin.txt", new Uint8Array([0x66, 0xfc, 0x72]));
    expect((await open(scratch)("latin.txt", "für")).isError).toBe(false);
    expect(await scratch.read("work/latin.txt")).toBe("für");
  });
});

test("what is no file is asked for first, and gets the content without a listing", async () => {
  await using scratch = await place();
  const asked: string[][] = [];
  const write = open(scratch, {
    writeResource: async (path, content) => {
      asked.push([path, content]);
      if (!path.startsWith("a.zip:")) return undefined;
      return { text: `Wrote ${path}.`, path: scratch.path("work/a.zip"), details: { member: "b" } };
    },
  });
  const member = await write("a.zip:b", "1:x\n2:y\n3:z\n");
  expect(member.text).toStartWith("Wrote a.zip:b.\nThe header and line numbers");
  expect(member.details).toEqual({ member: "b", path: scratch.path("work/a.zip") });
  await write("plain.txt", "text");
  expect(asked).toEqual([
    ["a.zip:b", "x\ny\nz\n"],
    ["plain.txt", "text"],
  ]);
  expect(await scratch.read("work/plain.txt")).toBe("text");
});
