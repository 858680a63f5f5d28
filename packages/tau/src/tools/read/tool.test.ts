// The read tool on real files and directories: what is shown, what is said about the rest, and
// that nothing makes it wait or run out of memory.

import { describe, expect, test } from "bun:test";
import { ToolTable } from "@tau/agent/tool-table";
import { textOf } from "@tau/ai/message";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { chmod, mkdir, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import type { FileToolSettings } from "../file-tool-settings.ts";
import { Workspace } from "../workspace.ts";
import { createReadTool } from "./tool.ts";

function reader(scratch: ScratchDirectory, settings: Partial<FileToolSettings> = {}) {
  const workspace = new Workspace({ cwd: scratch.root, env: { HOME: scratch.root }, settings });
  const table = new ToolTable([createReadTool(workspace)]);
  const read = async (path: string) => {
    const call = { type: "toolCall" as const, id: "c", name: "read", arguments: { path } };
    const { signal } = new AbortController();
    const { result, details } = await table.run(call, { signal, update: () => {} });
    return { text: textOf(result), isError: result.isError, details };
  };
  return { workspace, read, [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose]() };
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at}:line ${from + at}`).join("\n");
const manyLines = (count: number) =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

describe("files", () => {
  test("come under a header that an edit can name, with numbered lines", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("src/a.txt", "one\ntwo\r\nthree");
    await using r = reader(scratch);
    const { text } = await r.read("src/a.txt");
    expect(text).toMatch(/^¶src\/a\.txt#[0-9A-Z]{4}\n1:one\n2:two\n3:three$/);
    const [, tag] = /#(....)/.exec(text)!;
    const found = r.workspace.files.snapshots.find(scratch.path("src/a.txt"), tag!);
    expect(found).toMatchObject({ kind: "found", snapshot: { text: "one\ntwo\r\nthree" } });
  });

  test("in parts: a line before, three after, in order, and the same however it is said", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("a.txt", manyLines(50));
    await using r = reader(scratch);
    const body = async (selector: string) =>
      (await r.read(`a.txt:${selector}`)).text.split("\n").slice(1).join("\n");
    expect(await body("10+3")).toBe(numbered(9, 15));
    expect(await body("10-12")).toBe(numbered(9, 15));
    expect(await body("30-31,5-6")).toBe(`${numbered(4, 9)}\n…\n${numbered(29, 34)}`);
    expect(await body("48-")).toBe(numbered(47, 50));
    expect(await body("1")).toBe(numbered(1, 50));
    const raw = (await r.read("a.txt:10-12:raw")).text;
    expect(raw).toBe("line 10\nline 11\nline 12");
  });

  test("past the end is advice, not a failure; line 0 is a failure", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("a.txt", manyLines(5));
    await scratch.write("empty.txt", "");
    await using r = reader(scratch);
    expect(await r.read("a.txt:99")).toMatchObject({
      isError: false,
      text: "[a.txt has 5 lines; its end is a.txt:1-5]",
    });
    expect((await r.read("empty.txt")).text).toBe("[empty.txt is empty]");
    expect(await r.read("a.txt:0")).toMatchObject({ isError: true });
    expect(await r.read("a.txt:-5")).toMatchObject({
      isError: true,
      text: ":-5 is not a range: lines are counted from 1. The first 5 are a.txt:1-5; for the last, use bash: tail -n 5.",
    });
    expect((await r.read("b.txt:-5")).text).toContain("b.txt:-5 does not exist");
  });

  test("without a selector show so many lines and say how to go on", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("a.txt", manyLines(1000));
    await using r = reader(scratch, { readLines: 10 });
    const { text } = await r.read("a.txt");
    expect(text.split("\n").slice(1).join("\n")).toBe(
      `${numbered(1, 10)}\n[more lines follow of 1000; go on with a.txt:11-]`,
    );
  });

  test("a name with a colon is that file; a mistyped path is found by its end", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("odd:7", "odd\n");
    await scratch.write("packages/x/deep/only.ts", "export {};\n");
    await scratch.write("a/same.ts", "");
    await scratch.write("b/same.ts", "");
    await using r = reader(scratch, { hashLines: false });
    expect((await r.read("odd:7")).text).toBe("odd");
    expect((await r.read("deep/only.ts")).text).toBe(
      "[deep/only.ts does not exist; this is packages/x/deep/only.ts]\nexport {};",
    );
    const both = await r.read("same.ts");
    expect(both).toMatchObject({ isError: true });
    expect(both.text).toContain("a/same.ts, b/same.ts");
    expect((await r.read("nowhere.ts")).text).toContain("does not exist");
  });

  test("long lines come whole, or say how much of them is shown and how to get the rest", async () => {
    await using scratch = await createScratchDirectory();
    const paragraph = "word ".repeat(200).trim();
    const data = "0123456789".repeat(4000);
    await scratch.write("prose.txt", `${paragraph}\nnext\n`);
    await scratch.write("data.json", `[\n${data}\n]\n`);
    await using r = reader(scratch, { hashLines: false });
    expect((await r.read("prose.txt")).text).toBe(`${paragraph}\nnext`);
    expect((await r.read("data.json")).text).toBe(
      `[\n${data.slice(0, 512)}… [line 2: 512 of 40,000 characters]\n]\n[line 2 goes on: data.json:2:513-; whole: data.json:2-2]`,
    );
    expect((await r.read("data.json:2:513-522")).text).toBe(
      "2345678901\n[line 2: characters 513-522 of 40,000]",
    );
    const rest = (await r.read("data.json:2:513-")).text;
    expect(rest).toStartWith(data.slice(512, 20_512));
    expect(rest).toEndWith("[line 2 goes on: data.json:2:20513-; whole: data.json:2-2]");
    expect((await r.read("data.json:2-2")).text).toBe(data);
    expect((await r.read("data.json:raw")).text).toBe(`[\n${data}\n]`);
    // As compilers say where something is.
    expect((await r.read("prose.txt:2:7")).text).toBe("next");
  });

  test("the files of git are not part of a directory", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write(".git/config", "x");
    await scratch.write("a.txt", "x");
    await using r = reader(scratch);
    expect((await r.read(".")).text).not.toContain(".git");
  });

  test("binary files are named", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("x.bin", Buffer.from([1, 0, 2]));
    await using r = reader(scratch);
    expect(await r.read("x.bin")).toMatchObject({ isError: true });
  });

  test("what is no UTF-8 is shown without a tag: an edit would ruin it", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("latin.txt", Buffer.from("caf\xe9\n", "latin1"));
    await using r = reader(scratch);
    expect((await r.read("latin.txt")).text).not.toContain("¶");
  });

  test("a long source comes without its bodies, with the ranges to ask for", async () => {
    await using scratch = await createScratchDirectory();
    const body = Array.from({ length: 60 }, (_, at) => `  const x${at} = ${at};`).join("\n");
    await scratch.write(
      "a.ts",
      `export function first() {\n${body}\n}\n\nexport function second() {\n${body}\n}\n`,
    );
    await using r = reader(scratch, { readLines: 100 });
    const { text, details } = await r.read("a.ts");
    const rows = text.split("\n");
    expect(rows[1]).toBe("1-62:export function first() { .. }");
    expect(rows).toContain("64-125:export function second() { .. }");
    expect(rows.at(-1)).toBe(
      "[120 of 125 lines left out; read what you need, e.g. a.ts:2-61,65-124, or all with a.ts:1-]",
    );
    expect(details).toMatchObject({ summary: { elidedLines: 120, elidedSpans: 2 } });
    const all = await r.read("a.ts:1-");
    expect(all.text.split("\n")).toHaveLength(126);
    await using usual = reader(scratch);
    expect((await usual.read("a.ts")).text).toBe(all.text);
  });

  test("the summary of a huge source is one of its beginning, and says where it ends", async () => {
    await using scratch = await createScratchDirectory();
    const functions = Array.from(
      { length: 2000 },
      (_, at) =>
        `export function number${at}(value) {\n  const a = value;\n  const b = a;\n  const c = b;\n  return c;\n}\n`,
    );
    await scratch.write("huge.js", functions.join("\n"));
    await using r = reader(scratch);
    const { text } = await r.read("huge.js");
    expect(Buffer.byteLength(text)).toBeLessThan(26 * 1024);
    const [, next] = /\[the summary ends here; go on with huge\.js:(\d+)-/.exec(text)!;
    expect((await r.read(`huge.js:${next}-`)).text).toContain(`\n${next}:`);
  });

  test("conflicts are shown by number", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("c.ts", "a\n<<<<<<< ours\nmine\n=======\nyours\n>>>>>>> theirs\nb\n");
    await scratch.write("d.ts", "a\n");
    await using r = reader(scratch);
    const { text } = await r.read("c.ts:conflicts");
    expect(text).toContain("conflict://1, lines 2-6\n2:<<<<<<< ours\n3:mine");
    expect(text).not.toContain("7:b");
    expect((await r.read("d.ts:conflicts")).text).toBe("[d.ts has no unresolved conflicts]");
  });

  test("a line in the middle of five gigabytes costs neither time nor memory", async () => {
    await using scratch = await createScratchDirectory();
    const path = scratch.path("huge.txt");
    await writeFile(path, manyLines(2_000_000));
    await truncate(path, 5_000_000_000);
    await using r = reader(scratch);
    const before = process.memoryUsage.rss();
    const { text } = await r.read("huge.txt:1000000+2");
    expect(text).toContain("too large to edit by lines");
    expect(text).toContain("1000000:line 1000000\n1000001:line 1000001");
    expect(process.memoryUsage.rss() - before).toBeLessThan(100e6);
  });
});

describe("what is no file", () => {
  test("is refused at once, with what it is", async () => {
    await using scratch = await createScratchDirectory();
    Bun.spawnSync(["mkfifo", scratch.path("pipe")]);
    await symlink("loop", scratch.path("loop"));
    await using r = reader(scratch);
    expect((await r.read("pipe")).text).toBe("pipe is a named pipe, not a file to read.");
    expect((await r.read("/dev/zero")).text).toBe("/dev/zero is a device, not a file to read.");
    expect((await r.read("loop")).text).toContain("points to itself");
    expect((await r.read("x".repeat(5000))).isError).toBe(true);
    expect((await r.read("a\0b")).text).toContain("zero byte");
    expect((await r.read("  ")).isError).toBe(true);
    expect((await r.read("nope://x")).text).toContain("There is no nope:// here.");
  });

  test.skipIf(process.getuid?.() === 0)(
    "what may not be read says so (not as root, who may read everything)",
    async () => {
      await using scratch = await createScratchDirectory();
      await chmod(await scratch.write("secret", "x"), 0);
      await using r = reader(scratch);
      expect((await r.read("secret")).text).toContain("permission denied");
    },
  );
});

describe("directories", () => {
  test("as a tree: two levels, newest first, sizes and ages", async () => {
    await using scratch = await createScratchDirectory();
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000 - 60_000);
    const age = (path: string, hours: number) =>
      utimes(scratch.path(path), hoursAgo(hours), hoursAgo(hours));
    await scratch.write("old.txt", "x".repeat(2048));
    await scratch.write("src/new.ts", "12345");
    await scratch.write("src/deep/hidden.ts", "");
    await mkdir(scratch.path("empty"));
    await age("old.txt", 50);
    await age("src/new.ts", 2);
    await age("src/deep", 3);
    await age("src", 1);
    await age("empty", 5);
    await using r = reader(scratch);
    expect((await r.read(".")).text).toBe(
      ["src/  1h", "  new.ts  5 B  2h", "  deep/  3h", "empty/  5h", "old.txt  2.0 KB  2d"].join(
        "\n",
      ),
    );
    expect((await r.read("empty")).text).toBe("(empty directory)");
    expect((await r.read("/")).text).toStartWith("src/  1h");
  });

  test("many files: the newest of them, and how many more", async () => {
    await using scratch = await createScratchDirectory();
    for (let at = 0; at < 30; at++) await scratch.write(`d/f${at}`, "");
    await scratch.write("with\nnewline", "");
    await using r = reader(scratch);
    const { text } = await r.read(".");
    expect(text).toContain("  … 18 more");
    expect(text).toContain("with\\nnewline");
  });
});
