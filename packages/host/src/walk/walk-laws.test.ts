// The walk sees what git sees: over random trees with random ignore files, in the middle
// of a repository and at its root.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { join } from "node:path";
import { createScratchRepository } from "@tau/testkit/scratch";
import { locateRipgrep } from "../search/locate-ripgrep.ts";
import { ignoreArguments } from "../search/rg-ignore.ts";
import { gitListing, randomTree, writeTree } from "./test/random-tree.ts";
import { walkTree } from "./walk-tree.ts";

const RUNS = 40;

async function walked(root: string, options: { gitignore?: boolean; hidden?: boolean } = {}) {
  const files: string[] = [];
  const report = await walkTree({
    root,
    gitignore: options.gitignore ?? true,
    hidden: options.hidden ?? true,
    onEntries(entries) {
      files.push(...entries.filter(({ kind }) => kind === "file").map(({ path }) => path));
      return true;
    },
  });
  expect(report).toMatchObject({ end: "complete", unreadable: 0 });
  return files.sort();
}

/** The listing of the engine, with the very arguments a search has. */
async function ripgrepListing(root: string): Promise<string[]> {
  const program = await locateRipgrep();
  const ignoring = await ignoreArguments({ root, gitignore: true, hidden: true });
  const child = Bun.spawn([program!, "--no-config", "--files", "--null", ...ignoring, "."], {
    cwd: root,
  });
  const listed = (await child.stdout.text()).split("\0").filter((path) => path !== "");
  return listed.map((path) => path.slice(2)).sort();
}

test("walk, engine and git agree on what is ignored", async () => {
  await using repository = await createScratchRepository();
  await repository.write(".gitignore", "*.log\n/run*/out/\n");
  await repository.write(".git/info/exclude", "cc\n!y.log\n");
  let run = 0;
  await fc.assert(
    fc.asyncProperty(randomTree(fc.constant("x")), async (tree) => {
      run += 1;
      const directory = `run${run}`;
      const root = repository.path(directory);
      await writeTree(root, tree);
      const expected = await gitListing(repository, directory);
      expect(await walked(root)).toEqual(expected);
      expect(await ripgrepListing(root)).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});

test("without ignore rules everything is seen, hidden names only when wanted", async () => {
  await using repository = await createScratchRepository();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(randomTree(fc.constant("x")), async (tree) => {
      run += 1;
      const root = repository.path(`run${run}`);
      const written = await writeTree(root, tree);
      expect(await walked(root, { gitignore: false })).toEqual(written.toSorted());
      const visible = written.filter((path) => !/(^|\/)\./.test(path));
      expect(await walked(root, { gitignore: false, hidden: false })).toEqual(visible.sort());
    }),
    { numRuns: RUNS },
  );
});

test("a repository within a repository follows its own rules only", async () => {
  await using outer = await createScratchRepository();
  await outer.write(".gitignore", "*.log\n");
  await outer.write("inner/.git/info/exclude", "secret\n");
  await outer.write("inner/.gitignore", "*.tmp\n");
  for (const name of ["a.log", "b.tmp", "secret", "c.ts"]) await outer.write(`inner/${name}`, "x");
  await outer.write("own.log", "x");
  expect(await walked(outer.root)).toEqual([
    ".gitignore",
    "inner/.gitignore",
    "inner/a.log",
    "inner/c.ts",
  ]);
  expect(await ripgrepListing(outer.root)).toEqual(await walked(outer.root));
});

test("a walk that begins inside something ignored looks at it", async () => {
  await using repository = await createScratchRepository();
  await repository.write(".gitignore", "node_modules/\n*.js\n");
  await repository.write("node_modules/pack/index.js", "x");
  await repository.write("node_modules/pack/.gitignore", "*.map\n");
  await repository.write("node_modules/pack/index.map", "x");
  const root = join(repository.root, "node_modules", "pack");
  expect(await walked(root)).toEqual([".gitignore", "index.js"]);
  expect(await ripgrepListing(root)).toEqual([".gitignore", "index.js"]);
  expect(await walked(repository.root)).toEqual([".gitignore"]);
});

test("a worktree uses the exclude file of its repository", async () => {
  await using repository = await createScratchRepository({ files: { "a.ts": "x" } });
  await repository.write(".git/info/exclude", "*.local\n");
  await repository.git("worktree", "add", "--quiet", "tree/two");
  await repository.write("tree/two/b.local", "x");
  expect(await walked(repository.path("tree/two"))).toEqual(["a.ts"]);
  expect(await ripgrepListing(repository.path("tree/two"))).toEqual(["a.ts"]);
});
