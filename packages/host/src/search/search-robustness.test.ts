// What must not happen whatever lies in a tree: a search that hangs, one that goes on after
// it was stopped, one that takes the memory of the machine, or a file that is lost because
// of its name.

import { describe, expect, test } from "bun:test";
import { chmod, mkdir, open, symlink, writeFile } from "node:fs/promises";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { locateRipgrep } from "./locate-ripgrep.ts";
import { watchMemory } from "./memory-watch.ts";
import { SearchEngineError } from "./search-error.ts";
import { bytePath } from "../walk/byte-path.ts";
import { searchFiles } from "./search-files.ts";
import type { SearchTarget } from "./search-query.ts";

const engines = [{ kind: "ripgrep" }, { kind: "plain" }] as const;
const all = (scratch: ScratchDirectory): SearchTarget[] => [
  { kind: "directory", path: scratch.root },
];

for (const engine of engines) {
  describe(engine.kind, () => {
    test("names may hold anything", async () => {
      await using scratch = await createScratchDirectory();
      const names = ["line\nbreak", "sp ace", "co:lon", "-dash", "日本.ts", "quote'\"", "tab\t"];
      for (const name of names) await scratch.write(name, "needle\n");
      const { files } = await searchFiles({ pattern: "needle", targets: all(scratch), engine });
      expect(files.map(({ name }) => name.slice(scratch.root.length + 1)).sort()).toEqual(
        names.toSorted(),
      );
    });

    test.skipIf(process.platform !== "linux")("names may be no UTF-8", async () => {
      await using scratch = await createScratchDirectory();
      const directory = Buffer.concat([Buffer.from(`${scratch.root}/d`), Buffer.from([0xfe])]);
      await mkdir(directory);
      const file = Buffer.concat([directory, Buffer.from("/x\xff", "latin1")]);
      await writeFile(file, "needle\n");
      const path = bytePath(file);
      for (const targets of [
        all(scratch),
        [{ kind: "directory", path: bytePath(directory) }],
        [{ kind: "file", path }],
        [{ kind: "file", path, lines: [{ start: 1, end: 1 }] }],
      ] satisfies SearchTarget[][]) {
        const { files } = await searchFiles({ pattern: "needle", targets, engine });
        expect(files).toMatchObject([{ name: path, lines: [{ line: 1, text: "needle" }] }]);
      }
    });

    test.skipIf(process.platform === "win32")("special files and loops of links", async () => {
      await using scratch = await createScratchDirectory();
      const fifo = scratch.path("fifo");
      expect(Bun.spawnSync(["mkfifo", fifo]).success).toBe(true);
      await symlink(scratch.root, scratch.path("loop"));
      await symlink("/dev/zero", scratch.path("zero"));
      await scratch.write("a", "needle\n");
      const targets: SearchTarget[] = [
        ...all(scratch),
        ...["/dev/zero", fifo, scratch.path("zero")].map((path): SearchTarget => ({
          kind: "file",
          path,
        })),
      ];
      const result = await searchFiles({ pattern: "needle", targets, engine });
      expect(result.files.map(({ name }) => name)).toEqual([scratch.path("a")]);
      expect(result.skipped.map(({ reason }) => reason)).toEqual(["special", "special", "special"]);
    });

    test.skipIf(process.platform === "win32")("what cannot be read is counted", async () => {
      await using scratch = await createScratchDirectory();
      await chmod(await scratch.write("closed", "needle\n"), 0);
      await scratch.write("open", "needle\n");
      const result = await searchFiles({ pattern: "needle", targets: all(scratch), engine });
      // Nothing is closed to the superuser.
      const isRoot = process.getuid?.() === 0;
      expect(result.unreadable).toBe(isRoot ? 0 : 1);
      expect(result.files).toHaveLength(isRoot ? 2 : 1);
    });

    test("an abort rejects with its reason, before and during a search", async () => {
      await using scratch = await createScratchDirectory();
      for (let index = 0; index < 200; index += 1) {
        await scratch.write(`d${index % 9}/f${index}`, "hay needle hay\n".repeat(2000));
      }
      const query = { pattern: "(h.y )*needle.*", targets: all(scratch), engine };
      const early = searchFiles({ ...query, signal: AbortSignal.abort(new Error("early")) });
      await expect(early).rejects.toThrow("early");
      const controller = new AbortController();
      const late = searchFiles({ ...query, signal: controller.signal });
      setTimeout(() => controller.abort(new Error("late")), 5);
      await expect(late).rejects.toThrow("late");
    });

    test("out of time means what was found so far", async () => {
      await using scratch = await createScratchDirectory();
      await scratch.write("a", "needle\n");
      const query = { pattern: "needle", targets: all(scratch), engine };
      const result = await searchFiles({ ...query, timeoutMs: 0 });
      expect(result).toMatchObject({ incomplete: "timeout", files: [] });
    });
  });
}

/** A file without line breaks, made quickly. */
async function writeLongLine(path: string, bytes: number, end: string): Promise<void> {
  await using file = await open(path, "w");
  const piece = Buffer.alloc(1024 * 1024, "x");
  for (let at = 0; at < bytes; at += piece.length) await file.write(piece);
  await file.write(end);
}

test("a line of 160 MB costs no memory of that size", async () => {
  const BYTES = 160 * 1024 * 1024;
  await using scratch = await createScratchDirectory();
  await writeLongLine(scratch.path("long"), BYTES, "needle\nnext needle\n");
  await scratch.write("short", "needle\n");
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
  const { files } = await searchFiles({ pattern: "needle", targets: all(scratch) });
  clearInterval(watch);
  expect(peak - before).toBeLessThan(BYTES);
  expect(files.map(({ lines }) => lines.map(({ line, column }) => [line, column]))).toEqual([
    [
      [1, BYTES + 1],
      [2, 6],
    ],
    [[1, 1]],
  ]);
  expect(files[0]!.lines[0]).toMatchObject({ truncated: true });
});

test("a pattern that matches every character of a large line", async () => {
  await using scratch = await createScratchDirectory();
  await writeLongLine(scratch.path("long"), 3 * 1024 * 1024, "\n");
  const { files, incomplete } = await searchFiles({ pattern: "x", targets: all(scratch) });
  expect(incomplete).toBeUndefined();
  expect(files).toMatchObject([{ shown: 1, lines: [{ line: 1, column: 1, truncated: true }] }]);
});

test.skipIf(process.platform === "win32")("a process that takes too much is noticed", async () => {
  const hungry = "globalThis.kept = new Uint8Array(200e6).fill(1); setInterval(() => {}, 1000)";
  const child = Bun.spawn([process.execPath, "-e", hungry]);
  try {
    await new Promise<void>((resolve) => {
      watchMemory(child.pid, 150e6, resolve);
    });
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
});

describe("where ripgrep is found", () => {
  test("in its package, then where the caller says, then on the PATH", async () => {
    const packaged = await locateRipgrep();
    expect(packaged).toMatch(/ripgrep-[\w-]+[/\\]bin[/\\]rg/);
    await using scratch = await createScratchDirectory();
    const own = await scratch.write("own/rg", "#!/bin/sh\n");
    const onPath = await scratch.write("bin/rg", "#!/bin/sh\n");
    await chmod(own, 0o755);
    await chmod(onPath, 0o755);
    const places = { path: own, searchPath: scratch.path("bin") };
    expect(await locateRipgrep(places)).toBe(packaged);
    expect(await locateRipgrep({ ...places, usePackage: false })).toBe(own);
    const onlyPath = { searchPath: places.searchPath, usePackage: false };
    expect(await locateRipgrep(onlyPath)).toBe(onPath);
    expect(await locateRipgrep({ ...places, path: scratch.path("no"), usePackage: false })).toBe(
      onPath,
    );
  });

  test("never through a relative entry of the PATH, which the workspace could fill", async () => {
    expect(await locateRipgrep({ searchPath: ".:bin::", usePackage: false })).toBeUndefined();
  });

  test("one that does not start, or dies, is a typed failure", async () => {
    await using scratch = await createScratchDirectory();
    const path = await scratch.write("rg", "#!/no/such/interpreter\n");
    await chmod(path, 0o755);
    const engine = { kind: "ripgrep", places: { path, usePackage: false } } as const;
    const targets = [{ kind: "text", name: "t", text: "needle" } as const];
    const query = { pattern: "needle", targets, engine };
    await expect(searchFiles(query)).rejects.toThrow(SearchEngineError);
    await scratch.write("rg", "#!/bin/sh\nkill -SEGV $$\n");
    await expect(searchFiles(query)).rejects.toThrow("SIGSEGV");
  });

  test("without it the plain engine searches", async () => {
    const engine = { kind: "ripgrep", places: { usePackage: false, searchPath: "" } } as const;
    const targets = [{ kind: "text", name: "t", text: "needle" } as const];
    const result = await searchFiles({ pattern: "needle", targets, engine });
    expect(result).toMatchObject({ engine: "plain", totals: { files: 1, matches: 1 } });
  });
});
