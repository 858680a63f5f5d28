import { expect, test } from "bun:test";
import fc from "fast-check";
import { mkdir, symlink, utimes } from "node:fs/promises";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { findPaths, type FindProgress } from "./find-paths.ts";
import { splitGlob } from "./glob.ts";

const START_S = 1_700_000_000;

async function writeAt(scratch: ScratchDirectory, path: string, seconds: number): Promise<void> {
  const target = await scratch.write(path, "x");
  await utimes(target, START_S + seconds, START_S + seconds);
}

async function found(scratch: ScratchDirectory, input: string, limit = 200): Promise<string[]> {
  const { base, pattern, directoriesOnly } = splitGlob(input);
  const root = scratch.path(base);
  const { found } = await findPaths({ targets: [{ root, pattern, directoriesOnly }], limit });
  return found.map(({ path }) => path.slice(scratch.root.length + 1));
}

test("a glob looks everywhere, a glob behind a directory only there", async () => {
  await using scratch = await createScratchDirectory();
  await writeAt(scratch, "a.ts", 1);
  await writeAt(scratch, "src/b.ts", 2);
  await writeAt(scratch, "src/deep/c.ts", 3);
  await writeAt(scratch, "src/with space.md", 4);
  expect(await found(scratch, "*.ts")).toEqual(["src/deep/c.ts", "src/b.ts", "a.ts"]);
  expect(await found(scratch, "src/*.ts")).toEqual(["src/b.ts"]);
  expect(await found(scratch, "src/**/*.ts")).toEqual(["src/deep/c.ts", "src/b.ts"]);
  expect(await found(scratch, "src/with space.md")).toEqual(["src/with space.md"]);
  expect((await found(scratch, "src")).sort()).toEqual([
    "src/b.ts",
    "src/deep/",
    "src/deep/c.ts",
    "src/with space.md",
  ]);
  expect(await found(scratch, "src/*/")).toEqual(["src/deep/"]);
});

test("newest first is the sorted full listing, cut", async () => {
  const file = fc.tuple(
    fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 }),
    fc.constantFrom("x.ts", "y.ts", "z.md"),
    fc.nat(5),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 12 }), fc.nat(6), async (files, limit) => {
      await using scratch = await createScratchDirectory();
      const times = new Map<string, number>();
      for (const [parts, name, seconds] of files) {
        times.set([...parts, name].join("/"), seconds);
      }
      for (const [path, seconds] of times) await writeAt(scratch, path, seconds);
      const matching = [...times].filter(([path]) => path.endsWith(".ts"));
      const sorted = matching.sort(([a, at], [b, bt]) => bt - at || (a < b ? -1 : 1));
      const targets = [{ root: scratch.root, pattern: "**/*.ts" }];
      const result = await findPaths({ targets, limit });
      expect(result.found.map(({ path }) => path)).toEqual(
        sorted.slice(0, limit).map(([path]) => scratch.path(path)),
      );
      expect(result.matched).toBe(matching.length);
      expect(result.limitReached).toBe(matching.length > limit);
    }),
    { numRuns: 30 },
  );
});

test("ignored and hidden files", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write(".gitignore", "out/\n");
  await scratch.write("out/a", "x");
  await scratch.write(".hidden/b", "x");
  const names = async (more: object): Promise<string[]> => {
    const { found } = await findPaths({ targets: [{ root: scratch.root }], limit: 99, ...more });
    return found.map(({ path }) => path.slice(scratch.root.length + 1)).sort();
  };
  expect(await names({})).toEqual([".gitignore", ".hidden/", ".hidden/b"]);
  expect(await names({ gitignore: false, hidden: false })).toEqual(["out/", "out/a"]);
});

test("several targets, overlapping, missing, a file, and a link as root", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("src/a.ts", "x");
  await scratch.write("src/b.ts", "x");
  await mkdir(scratch.path("links"));
  await symlink(scratch.path("src"), scratch.path("links/src"));
  const result = await findPaths({
    targets: [
      { root: scratch.path("src") },
      { root: scratch.root, pattern: "**/*.ts" },
      { root: scratch.path("src/a.ts") },
      { root: scratch.path("gone") },
      { root: scratch.path("links/src"), pattern: "a.ts" },
    ],
    limit: 99,
  });
  expect(result.found.map(({ path }) => path.slice(scratch.root.length + 1)).sort()).toEqual([
    "links/src/a.ts",
    "src/a.ts",
    "src/b.ts",
  ]);
  expect(result.missing).toEqual([scratch.path("gone")]);
});

test("out of time is a success with what was found, an abort is not", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("a", "x");
  const options = { targets: [{ root: scratch.root }], limit: 9 };
  expect(await findPaths({ ...options, timeoutMs: 0 })).toMatchObject({
    timedOut: true,
    found: [],
    missing: [],
  });
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(findPaths({ ...options, signal })).rejects.toThrow("enough");
});

test("reports progress, newest first", async () => {
  await using scratch = await createScratchDirectory();
  for (let index = 0; index < 30; index += 1) await writeAt(scratch, `d${index}/f`, index);
  const reports: FindProgress[] = [];
  const result = await findPaths({
    targets: [{ root: scratch.root, pattern: "**/f" }],
    limit: 5,
    progressEveryMs: 0,
    onProgress: (progress) => reports.push(progress),
  });
  expect(reports.length).toBeGreaterThan(1);
  for (const { found, matched, scanned } of reports) {
    expect(found.length).toBeLessThanOrEqual(5);
    expect(matched).toBeLessThanOrEqual(scanned);
    expect(found).toEqual(found.toSorted((a, b) => b.modifiedMs - a.modifiedMs));
  }
  expect(reports.at(-1)!.matched).toBe(result.matched);
});
