import { describe, expect, test } from "bun:test";
import { textOf } from "@tau/ai/message";
import { ToolTable } from "@tau/agent/tool-table";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { truncate, writeFile } from "node:fs/promises";
import { createReadTool } from "./tool.ts";

async function read(cwd: string, args: Record<string, unknown>) {
  const table = new ToolTable([createReadTool({ cwd })]);
  const call = { type: "toolCall" as const, id: "c", name: "read", arguments: args };
  const { result } = await table.run(call, {
    signal: new AbortController().signal,
    update: () => {},
  });
  return { text: textOf(result), isError: result.isError };
}

describe("files", () => {
  test("whole, in part, and beyond the end", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("a.txt", "one\ntwo\r\nthree");
    const at = (args: object) => read(scratch.root, { path: "a.txt", ...args });
    expect(await at({})).toEqual({ text: "one\ntwo\r\nthree", isError: false });
    expect((await at({ offset: 2, limit: 1 })).text).toBe(
      "two\r\n[more lines follow; go on with offset 3]",
    );
    expect((await at({ offset: 3 })).text).toBe("three");
    expect(await at({ offset: 4 })).toEqual({
      text: "a.txt has 3 lines; line 4 is beyond its end.",
      isError: true,
    });
  });

  test("characters across the boundary of a chunk stay whole", async () => {
    await using scratch = await createScratchDirectory();
    const text = `${"x".repeat(256 * 1024 - 1)}\n`.slice(1) + "日本\n";
    await scratch.write("wide.txt", text);
    expect((await read(scratch.root, { path: "wide.txt", offset: 2 })).text).toBe("日本");
  });

  test("the beginning of a huge file costs only the beginning", async () => {
    await using scratch = await createScratchDirectory();
    const path = await scratch.write("huge.txt", "first\n");
    await truncate(path, 5_000_000_000);
    const started = performance.now();
    expect((await read(scratch.root, { path: "huge.txt", limit: 1 })).isError).toBe(true);
    await writeFile(path, `first\n${"more text\n".repeat(1000)}`);
    await truncate(path, 5_000_000_000);
    const { text } = await read(scratch.root, { path: "huge.txt", limit: 1 });
    expect(text).toBe("first\n[more lines follow; go on with offset 2]");
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test("a line without end is cut and says so", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("long.txt", `${"y".repeat(3_000_000)}\nnext\n`);
    const { text } = await read(scratch.root, { path: "long.txt" });
    expect(text).toBe(`${"y".repeat(2000)} [… line cut]\nnext`);
  });

  test("empty, binary, missing", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("empty", "");
    await scratch.write("binary", new Uint8Array([1, 0, 2]));
    expect((await read(scratch.root, { path: "empty" })).text).toBe("(the file is empty)");
    expect(await read(scratch.root, { path: "binary" })).toEqual({
      text: "binary is a binary file.",
      isError: true,
    });
    expect(await read(scratch.root, { path: "nope" })).toEqual({
      text: "nope does not exist.",
      isError: true,
    });
  });
});

test("a directory is listed, directories marked", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("b/x", "");
  await scratch.write("a", "");
  expect((await read(scratch.root, { path: "." })).text).toBe("a\nb/");
});
