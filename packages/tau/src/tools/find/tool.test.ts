// The find tool on real trees.

import { describe, expect, test } from "bun:test";
import { ToolTable } from "@tau/agent/tool-table";
import { textOf } from "@tau/ai/message";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { mkdir, utimes } from "node:fs/promises";
import { Workspace } from "../workspace.ts";
import { createFindTool, type FindToolOptions } from "./tool.ts";

interface Details {
  files: string[];
  [name: string]: unknown;
}

function finder(scratch: ScratchDirectory, options: FindToolOptions = {}) {
  const workspace = new Workspace({ cwd: scratch.root, env: { HOME: scratch.root } });
  const table = new ToolTable([createFindTool(workspace, options)]);
  const updates: string[] = [];
  const find = async (
    paths: string | string[],
    rest: Record<string, unknown> = {},
    signal = new AbortController().signal,
  ) => {
    const call = {
      type: "toolCall" as const,
      id: "c",
      name: "find",
      arguments: { paths, ...rest },
    };
    const update = (text: string) => void updates.push(text);
    const { result, details, bug } = await table.run(call, { signal, update });
    if (bug !== undefined) throw bug;
    return { text: textOf(result), isError: result.isError, details: details as Details };
  };
  return { workspace, find, updates };
}

/** Written in this order, each a second newer than the one before; directories are oldest. */
async function writeAged(scratch: ScratchDirectory, ...paths: string[]): Promise<void> {
  for (const [at, path] of paths.entries()) {
    const absolute = await scratch.write(path, "x\n");
    await utimes(absolute, 1_700_000_000 + at, 1_700_000_000 + at);
  }
}

describe("paths", () => {
  test("come newest first, by directory, those of the root before all others", async () => {
    await using scratch = await createScratchDirectory();
    await writeAged(scratch, "src/a.ts", "lib/b.ts", "top.ts", "src/c.ts");
    const { find } = finder(scratch);
    const { text, details } = await find("*.ts");
    expect(text).toBe("top.ts\n# src/\nc.ts\na.ts\n# lib/\nb.ts");
    expect(details).toEqual({
      scopePath: "*.ts",
      fileCount: 4,
      files: ["src/c.ts", "top.ts", "lib/b.ts", "src/a.ts"],
      matched: 4,
      truncated: false,
    });
  });

  test("of a directory are all below it, directories with a slash", async () => {
    await using scratch = await createScratchDirectory();
    await writeAged(scratch, "src/deep/a.ts");
    await mkdir(scratch.path("src/empty"));
    const { find } = finder(scratch);
    expect((await find("src")).details.files.toSorted()).toEqual([
      "src/deep/",
      "src/deep/a.ts",
      "src/empty/",
    ]);
    expect((await find("src/*/")).details.files.toSorted()).toEqual(["src/deep/", "src/empty/"]);
  });

  test("that are files are found themselves, whatever their names and ignore rules say", async () => {
    await using scratch = await createScratchDirectory();
    await writeAged(scratch, "my notes, old; [1].txt", "out/a.log");
    await mkdir(scratch.path(".git"));
    await scratch.write(".gitignore", "out/\n");
    const { find } = finder(scratch);
    expect((await find("my notes, old; [1].txt")).text).toBe("my notes, old; [1].txt");
    expect((await find(["out/a.log"])).text).toBe("out/a.log");
    expect((await find("*.log")).text).toStartWith("No paths found");
  });

  test("that overlap come once; those outside are whole", async () => {
    await using scratch = await createScratchDirectory();
    await using elsewhere = await createScratchDirectory();
    await writeAged(scratch, "src/a.ts");
    await writeAged(elsewhere, "b.ts");
    const { find } = finder(scratch);
    expect((await find(["src", "*.ts", "src/a.ts"])).details.files).toEqual(["src/a.ts"]);
    expect((await find(elsewhere.root)).details.files).toEqual([elsewhere.path("b.ts")]);
  });
});

describe("limits", () => {
  test("are whole and at most 200; what is left out is the oldest, and said", async () => {
    await using scratch = await createScratchDirectory();
    await writeAged(scratch, ...Array.from({ length: 230 }, (_, at) => `f${at}.txt`));
    const { find } = finder(scratch);
    const most = await find("*.txt", { limit: 5000 });
    expect(most.details.files).toEqual(Array.from({ length: 200 }, (_, at) => `f${229 - at}.txt`));
    expect(most.details).toMatchObject({ truncated: true, resultLimitReached: 200 });
    expect(most.text).toContain("[the newest 200 of 230 paths; a narrower glob shows others]");
    expect((await find("*.txt", { limit: 2.9 })).details.files).toEqual(["f229.txt", "f228.txt"]);
    expect((await find("*.txt", { limit: 0.4 })).details.files).toEqual(["f229.txt"]);
    for (const limit of [0, -3]) {
      expect(await find("*.txt", { limit })).toMatchObject({
        isError: true,
        text: "limit is a number of paths from 1 to 200.",
      });
    }
  });

  test("of time give what was found, and say so", async () => {
    await using scratch = await createScratchDirectory();
    await writeAged(scratch, "a.txt");
    const { find } = finder(scratch, { timeoutMs: 0 });
    const { text, isError, details } = await find("**/*.txt");
    expect(isError).toBe(false);
    expect(text).toContain("[stopped after 0 s: there may be more and newer ones;");
    expect(details).toMatchObject({ truncated: true, timedOut: true });
  });

  test("whoever watches sees the newest so far", async () => {
    await using scratch = await createScratchDirectory();
    await writeAged(scratch, "a/1.txt", "b/2.txt");
    const { find, updates } = finder(scratch, { progressEveryMs: 0 });
    await find("*.txt");
    expect(updates.at(-1)).toBe("b/2.txt\na/1.txt");
  });
});

describe("refusals", () => {
  test("missing paths: alone an error, among others a note", async () => {
    await using scratch = await createScratchDirectory();
    await writeAged(scratch, "src/a.ts");
    const { find } = finder(scratch);
    expect(await find("gone")).toMatchObject({ isError: true });
    expect((await find(["gone", "lost/*"])).text).toBe("None of these exist: gone, lost/*.");
    const some = await find(["src/*.ts", "gone"]);
    expect(some.text).toBe("src/a.ts\n\n[left out, since they do not exist: gone]");
    expect(some.details.missingPaths).toEqual(["gone"]);
    expect((await find(["*.md", "gone"])).text).toStartWith("No paths found\n\n[left out");
    expect((await find("")).isError).toBe(true);
  });

  test("the whole disk, however it is written", async () => {
    await using scratch = await createScratchDirectory();
    const { find } = finder(scratch);
    for (const paths of ["/", "//", "/*.ts", "/../", '"/"']) {
      expect(await find(paths)).toMatchObject({ isError: true });
    }
    expect((await find("/")).text).toBe(
      "/ would look through the whole disk: name a directory below /.",
    );
  });

  test("addresses: a file behind one is found, others are to be read", async () => {
    await using scratch = await createScratchDirectory();
    const backing = await scratch.write("store/1.log", "x\n");
    const { find, workspace } = finder(scratch);
    workspace.resources.schemes.register({
      name: "note",
      example: "note://1",
      open: async ({ path }) => ({
        type: "text",
        shown: `note://${path}`,
        text: "x\n",
        notes: [],
        ...(path === "1" ? { backing } : {}),
      }),
    });
    expect((await find("note://1")).text).toBe("store/1.log");
    expect((await find("note://2")).text).toBe(
      "note://2 is not backed by a file: read it instead.",
    );
    expect((await find("note://*")).isError).toBe(true);
  });

  test("an abort", async () => {
    await using scratch = await createScratchDirectory();
    await writeAged(scratch, "a.txt");
    const controller = new AbortController();
    const { find } = finder(scratch);
    const finding = find("*.txt", {}, controller.signal);
    controller.abort();
    expect(await finding).toMatchObject({ isError: true, text: "The call was aborted." });
  });
});

test("paths only among ignored ones are counted, and how to see them is said", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write(".git/HEAD", "ref: refs/heads/main\n");
  await scratch.write(".gitignore", "dist/\n");
  await scratch.write("dist/a.js", "");
  const { find } = finder(scratch);
  expect((await find("*.js")).text).toBe(
    "No paths found\n\n[1 path matches among what .gitignore leaves out: gitignore: false]",
  );
  expect((await find("*.rs")).text).toBe("No paths found");
});
