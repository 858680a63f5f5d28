// Isolated trees on real repositories, by both mechanisms: what is in them, what they leave alone, and what is told of
// them afterwards.

import { existsSync, lstatSync, realpathSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "bun:test";
import { createScratchDirectory, createScratchRepository } from "@tau/testkit/scratch";
import { realPlace } from "../guard/real-path.ts";
import { openSandbox } from "../sandbox/sandbox.ts";
import { isolate } from "./isolate.ts";
import { IsolationRefused } from "./isolated-tree.ts";
import { mergePatch } from "./merge-patch.ts";
import { inTree, isolated, testEach, testOverlay } from "./test/mechanisms.ts";
import { snapshotOf } from "./test/tree-snapshot.ts";

const FILES = {
  "a.txt": "one\ntwo\nthree\n",
  "src/b.ts": "export const b = 1;\n",
  "src/deep/c.ts": "export const c = 1;\n",
  "src/deep/d.ts": "export const d = 1;\n",
  "gone.txt": "gone\n",
  ".gitignore": "ignored/\n*.log\n",
};

/** With work of every kind that is not committed. */
async function busyRepository() {
  const repository = await createScratchRepository({ files: FILES });
  await repository.write("a.txt", "one\nTWO\nthree\n");
  await repository.write("staged.txt", "staged\n");
  await repository.git("add", "staged.txt");
  await repository.write("staged.txt", "staged, and changed again\n");
  await repository.write("new dir/-new file.txt", "new\n");
  await rm(repository.path("gone.txt"));
  await chmod(repository.path("src/b.ts"), 0o755);
  await symlink("../a.txt", repository.path("src/link"));
  await writeFile(
    Buffer.from(`${repository.root}/caf\xe9.bin`, "latin1"),
    Buffer.of(0, 255, 0, 13),
  );
  await repository.write("ignored/module.js", "ignored\n");
  await repository.write("debug.log", "ignored\n");
  return repository;
}

const IGNORED = ["debug.log", "ignored/module.js"];

function without(snapshot: Record<string, string>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(snapshot).filter(([name]) => !names.includes(name)));
}

testEach("has what the parent has, and git says the same of both", async (mechanism) => {
  await using repository = await busyRepository();
  await using place = await createScratchDirectory();
  const before = await snapshotOf(repository.root);
  const gitFiles = await readdir(repository.path(".git"), { recursive: true });
  const index = await readFile(repository.path(".git/index"));
  await using tree = await isolated(repository, place.root, { mechanism });
  expect(tree.mechanism).toBe(mechanism);
  const inside = await snapshotOf(tree.root);
  expect(without(inside, IGNORED)).toEqual(without(before, IGNORED));
  // An overlay shows what git ignores, a checkout has none of it.
  expect(IGNORED.filter((name) => name in inside)).toEqual(mechanism === "overlay" ? IGNORED : []);
  const ask = "git status --porcelain --untracked-files=all && git log --oneline && git branch -a";
  const own = await inTree(tree, repository.gitEnv, ask);
  const child = Bun.spawnSync(["sh", "-c", ask], { cwd: repository.root, env: repository.gitEnv });
  expect(own).toBe(child.stdout.toString());
  expect(own).toContain("MM staged.txt".slice(1));
  expect((await tree.changes()).patches).toEqual([]);

  expect(await snapshotOf(repository.root)).toEqual(before);
  // `git status` of the comparison has refreshed the index; nothing else is new.
  expect((await readdir(repository.path(".git"), { recursive: true })).toSorted()).toEqual(
    gitFiles.toSorted(),
  );
  expect(index.length).toBeGreaterThan(0);
});

const WORK = `
  printf 'one\\nTWO\\nthree\\nfour\\n' > a.txt
  git mv src/deep/c.ts moved.ts
  rm -r src/deep && mkdir src/deep && echo only > src/deep/only.ts
  rm src/link
  ln -s nowhere dangling
  chmod -x src/b.ts
  head -c 3000 /dev/urandom > random.bin
  mkdir ignored 2>/dev/null; echo mine > ignored/mine; echo mine > own.log
  rm -r 'new dir' && echo file > 'new dir'
  printf '#!/bin/sh\\n' > run && chmod +x run
  git add -A && git -c user.name=a -c user.email=a@b.c commit -qm 'of the agent'
  git branch agents-own
  echo more >> run
`;

testEach("its changes are a patch, and merged they are the parent's", async (mechanism) => {
  await using repository = await busyRepository();
  await using place = await createScratchDirectory();
  const before = await snapshotOf(repository.root);
  const refs = await repository.git("for-each-ref");
  await using tree = await isolated(repository, place.root, { mechanism });
  await inTree(tree, repository.gitEnv, WORK);
  expect(await snapshotOf(repository.root)).toEqual(before);
  const { patches, leftOut } = await tree.changes();
  expect(leftOut).toEqual([]);
  expect(patches.map(({ repository: where }) => where)).toEqual([""]);
  expect(patches[0]!.files).not.toContain("own.log");
  const text = Buffer.from(patches[0]!.patch).toString();
  expect(text).toContain("rename from src/deep/c.ts");
  expect(text).toContain("GIT binary patch");

  const agents = without(await snapshotOf(tree.root), [...IGNORED, "ignored/mine", "own.log"]);
  const merging = { root: repository.root, directory: place.root, env: repository.gitEnv };
  expect((await mergePatch(merging, patches[0]!)).kind).toBe("applied");
  expect(without(await snapshotOf(repository.root), IGNORED)).toEqual(agents);
  expect(await repository.git("for-each-ref")).toBe(refs);
  expect(await repository.git("worktree", "list")).not.toContain(place.root);
  expect((await mergePatch(merging, patches[0]!)).kind).toBe("nothing");
  // What stays of it is in the tree's own directory, which goes with it.
  await tree.remove();
  expect((await readdir(place.root)).filter((name) => name !== "locks")).toEqual([]);
});

testOverlay("real paths, writes and renames by Tau itself stay in it", async () => {
  await using repository = await busyRepository();
  await using place = await createScratchDirectory();
  const before = await snapshotOf(repository.root);
  const tree = await isolated(repository, place.root, {
    mechanism: "overlay",
    cwd: repository.path("src"),
  });
  expect(tree.cwd).toBe(join(tree.root, "src"));
  for (const path of [tree.root, join(tree.root, "a.txt"), join(tree.cwd, "deep/c.ts")]) {
    expect(realpathSync(path)).toBe(path);
    expect(realPlace(path)).toBe(path);
    expect(lstatSync(path).isSymbolicLink()).toBe(false);
  }
  // Through a link in the tree, too.
  expect(realpathSync(join(tree.cwd, "link"))).toBe(join(tree.root, "a.txt"));
  await writeFile(join(tree.root, "a.txt"), "by Tau\n");
  await mkdir(join(tree.root, "one/two"), { recursive: true });
  await writeFile(join(tree.root, "one/two/x"), "x");
  await rename(join(tree.root, "one/two/x"), join(tree.root, "src/b.ts"));
  const seen = await inTree(tree, repository.gitEnv, "pwd; cat ../a.txt b.ts; id -u");
  expect(seen).toBe(`${tree.cwd}\nby Tau\nx${process.geteuid!()}\n`);
  expect(await snapshotOf(repository.root)).toEqual(before);

  await tree.remove();
  // Whatever still has the path is led nowhere, least of all to the parent's files.
  expect(existsSync(join(tree.root, "a.txt"))).toBe(false);
  expect(await snapshotOf(repository.root)).toEqual(before);
});

testOverlay("a holder that is gone leaves a path that leads nowhere", async () => {
  await using repository = await busyRepository();
  await using place = await createScratchDirectory();
  const before = await snapshotOf(repository.root);
  await using tree = await isolated(repository, place.root, { mechanism: "overlay" });
  const pid = Number(tree.enter!.argv[tree.enter!.argv.indexOf("--target") + 1]);
  process.kill(pid, "SIGKILL");
  while (existsSync(`/proc/${pid}/root/`)) await Bun.sleep(5);
  const path = join(tree.root, "a.txt");
  expect(existsSync(path)).toBe(false);
  await expect(writeFile(path, "lost")).rejects.toThrow();
  await expect(mkdir(join(tree.root, "x/y"), { recursive: true })).rejects.toThrow();
  // The number is somebody else's now: here, that of this process.
  const link = dirname(tree.root);
  await rm(link);
  await symlink(`/proc/${process.pid}/root${link}`, link);
  for (const attempt of [() => readFile(path), () => writeFile(path, "lost")]) {
    await expect(attempt()).rejects.toMatchObject({ code: "ELOOP" });
  }
  expect(await snapshotOf(repository.root)).toEqual(before);
});

testOverlay("a sandbox inside of it lets commands write to it, and not to the parent", async () => {
  await using repository = await busyRepository();
  await using place = await createScratchDirectory();
  await using tree = await isolated(repository, place.path("trees"), { mechanism: "overlay" });
  for (const part of ["home", "tmp"]) await mkdir(place.path(part));
  const { root: workspace, enter, writable } = tree;
  const options = { workspace, home: place.path("home"), temporary: place.path("tmp"), writable };
  const sandbox = await openSandbox({ ...options, network: "off" }, { enter });
  if (sandbox.kind === "none") throw new Error(sandbox.why);
  const script = `echo inside > a.txt; git add a.txt && echo evil > "${repository.path("a.txt")}"`;
  const child = Bun.spawnSync(sandbox.wrap(["sh", "-c", script]), {
    cwd: tree.cwd,
    env: { ...repository.gitEnv, HOME: place.path("home") },
  });
  expect(child.stderr.toString()).toContain("Read-only file system");
  expect(await readFile(join(tree.root, "a.txt"), "utf8")).toBe("inside\n");
  expect(await repository.read("a.txt")).toBe("one\nTWO\nthree\n");
});

testEach("a parent that goes on working is not taken for the agent", async (mechanism) => {
  await using repository = await busyRepository();
  await using place = await createScratchDirectory();
  await using tree = await isolated(repository, place.root, { mechanism });
  await writeFile(join(tree.root, "of-agent.txt"), "agent\n");
  await rm(join(tree.root, "src/b.ts"));
  await repository.write("a.txt", "changed by the parent meanwhile\n");
  await repository.write("of-parent.txt", "parent\n");
  await rm(repository.path("staged.txt"));
  const { patches } = await tree.changes();
  expect(patches.map(({ files }) => files)).toEqual([["of-agent.txt", "src/b.ts"]]);
  const merging = { root: repository.root, directory: place.root, env: repository.gitEnv };
  expect(await mergePatch(merging, patches[0]!)).toEqual({
    kind: "applied",
    files: ["of-agent.txt", "src/b.ts"],
  });
  expect(await repository.read("a.txt")).toBe("changed by the parent meanwhile\n");
  expect(existsSync(repository.path("staged.txt"))).toBe(false);
});

testEach("nested repositories have changes of their own", async (mechanism) => {
  await using repository = await busyRepository();
  await using place = await createScratchDirectory();
  const nest = async (name: string): Promise<void> => {
    await repository.git("init", "-q", "-b", "main", name);
    await repository.write(`${name}/n.txt`, "nested\n");
    await repository.git("-C", name, "add", ".");
    const who = ["-c", "user.name=A", "-c", "user.email=a@b.c"];
    await repository.git("-C", name, ...who, "commit", "-qm", "n");
  };
  await nest("vendor/lib");
  await nest("linked");
  await repository.git("add", "linked");
  await repository.write("vendor/lib/n.txt", "nested, not committed\n");
  const before = await snapshotOf(repository.root);
  await using tree = await isolated(repository, place.root, { mechanism });
  const own = without(await snapshotOf(tree.root), IGNORED);
  expect(own).toEqual(without(before, IGNORED));
  expect(await inTree(tree, repository.gitEnv, "git -C vendor/lib status --short")).toBe(
    " M n.txt\n",
  );
  await writeFile(join(tree.root, "vendor/lib/n.txt"), "by the agent\n");
  await writeFile(join(tree.root, "linked/new.txt"), "new\n");
  await inTree(
    tree,
    repository.gitEnv,
    "git -C linked add . && git init -q brand-new && echo > brand-new/x",
  );
  expect(await snapshotOf(repository.root)).toEqual(before);
  const { patches, leftOut } = await tree.changes();
  expect(leftOut).toEqual(["brand-new"]);
  const found = patches.map((patch) => [patch.repository, patch.files]);
  expect(found.toSorted()).toEqual([
    ["linked", ["new.txt"]],
    ["vendor/lib", ["n.txt"]],
  ]);
  const merging = { root: repository.root, directory: place.root, env: repository.gitEnv };
  for (const patch of patches) expect((await mergePatch(merging, patch)).kind).toBe("applied");
  expect(await repository.read("vendor/lib/n.txt")).toBe("by the agent\n");
  expect(await repository.read("linked/new.txt")).toBe("new\n");
});

testEach("line endings, filters and encodings: the bytes are what counts", async (mechanism) => {
  await using repository = await createScratchRepository({
    files: { ".gitattributes": "*.txt text eol=crlf\n*.rot filter=rot\n*.id ident\n" },
  });
  await using place = await createScratchDirectory();
  await repository.git("config", "filter.rot.clean", "tr a-z n-za-m");
  await repository.git("config", "filter.rot.smudge", "tr a-z n-za-m");
  await repository.write("lines.txt", "one\r\ntwo\r\n");
  await repository.write("x.rot", "hello\n");
  await repository.write("k.id", "$Id$\n");
  await repository.git("add", ".");
  await repository.git("commit", "-qm", "x");
  await rm(repository.path("k.id"));
  await repository.git("checkout", "k.id");
  expect(await repository.read("k.id")).toContain("$Id: ");
  const before = await snapshotOf(repository.root);
  await using tree = await isolated(repository, place.root, { mechanism });
  expect(await snapshotOf(tree.root)).toEqual(before);
  expect((await tree.changes()).patches).toEqual([]);
  expect(await inTree(tree, repository.gitEnv, "git status --short")).toBe("");
  await writeFile(join(tree.root, "lines.txt"), "one\r\ntwo\nthree\r\n");
  await writeFile(join(tree.root, "x.rot"), "hello agent\n");
  const { patches } = await tree.changes();
  const merging = { root: repository.root, directory: place.root, env: repository.gitEnv };
  expect((await mergePatch(merging, patches[0]!)).kind).toBe("applied");
  expect(await repository.read("lines.txt")).toBe("one\r\ntwo\nthree\r\n");
  expect(await repository.read("x.rot")).toBe("hello agent\n");
});

testEach(
  "a branch without a commit, a linked worktree, a sparse checkout, odd paths",
  async (mechanism) => {
    await using place = await createScratchDirectory();
    const check = async (
      repository: { root: string; gitEnv: Readonly<Record<string, string>> },
      id: string,
    ) => {
      const before = await snapshotOf(repository.root);
      await using tree = await isolated(repository, place.root, { mechanism, id });
      expect(await snapshotOf(tree.root)).toEqual(before);
      expect((await tree.changes()).patches).toEqual([]);
      await writeFile(join(tree.root, "agent.txt"), "agent\n");
      await inTree(tree, repository.gitEnv, "git add agent.txt && git status");
      const merging = { root: repository.root, directory: place.root, env: repository.gitEnv };
      const { patches } = await tree.changes();
      expect(patches.map(({ files }) => files)).toEqual([["agent.txt"]]);
      expect((await mergePatch(merging, patches[0]!)).kind).toBe("applied");
      expect(await snapshotOf(repository.root)).toEqual({ ...before, "agent.txt": "file agent\n" });
    };
    await using unborn = await createScratchRepository();
    await unborn.write("first.txt", "first\n");
    await check(unborn, "unborn");

    await using main = await createScratchRepository({ files: { ...FILES, "big/x.txt": "x\n" } });
    const linked = place.path("-a linked worktree, with: odd\\ name");
    await main.git("worktree", "add", "-q", "-b", "side", linked);
    await writeFile(join(linked, "a.txt"), "in the linked one\n");
    await check({ root: linked, gitEnv: main.gitEnv }, "linked");
    expect(await main.git("log", "--oneline", "side")).toBe(
      await main.git("log", "--oneline", "main"),
    );

    await main.git("sparse-checkout", "set", "--cone", "src");
    expect(existsSync(main.path("big"))).toBe(false);
    await main.write("src/b.ts", "sparse\n");
    await check(main, "sparse");
    await main.git("sparse-checkout", "set", "--cone", "--sparse-index", "src");
    await main.write("src/b.ts", "sparse index\n");
    await rm(main.path("agent.txt"));
    await check(main, "sparse-index");
  },
);

test("what cannot be isolated is refused in a sentence", async () => {
  await using place = await createScratchDirectory();
  await using plain = await createScratchDirectory();
  const env = { PATH: process.env.PATH };
  const refusal = async (cwd: string, id = "x"): Promise<string> => {
    try {
      await isolate({ cwd, directory: place.path("trees"), id, env });
    } catch (error) {
      if (error instanceof IsolationRefused) return error.message;
      throw error;
    }
    return "";
  };
  expect(await refusal(plain.root)).toContain("needs a git repository");
  await using repository = await createScratchRepository({ files: { a: "1\n" } });
  expect(await refusal(repository.root, "../up")).toContain("cannot name a tree");
  await repository.git("checkout", "-qb", "side");
  await repository.write("a", "2\n");
  await repository.git("commit", "-qam", "2");
  await repository.git("checkout", "-q", "main");
  await repository.write("a", "3\n");
  await repository.git("commit", "-qam", "3");
  await repository.git("merge", "side").catch(() => {});
  expect(await refusal(repository.root)).toContain("a has conflicts of a merge");
  await using bare = await createScratchRepository({ files: { a: "1\n" } });
  await bare.git("config", "core.bare", "true");
  expect(await refusal(bare.root)).toContain("Git cannot be asked");
  expect(await readdir(place.path("trees"))).toEqual([]);
});
