// A repository names a program for everything git can be made to run one for; looking at it runs none
// of them and still says what is so. Plain git is the judge of both.

import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { expect, test } from "bun:test";
import { GIT_ALIASES, GIT_PROGRAM_KEYS } from "@tau/testkit/git-program-keys";
import { createScratchDirectory, createScratchRepository } from "@tau/testkit/scratch";
import { testWith } from "@tau/testkit/require-program";
import { inertStatus } from "./inert-git.ts";
import { repositoryOf } from "./repository-of.ts";

const LIMITS = { timeoutMs: 10_000, maxOutputBytes: 1024 * 1024 };

/** Leaves a file behind for each thing that was set off. */
async function trap(scratch: { root: string; write: (p: string, t: string) => Promise<string> }) {
  const path = await scratch.write(
    ".git/trap.sh",
    `#!/bin/sh\necho "$0 $*" > "${scratch.root}/.git/ran-$1-$$"\nexit 1\n`,
  );
  await chmod(path, 0o755);
  return path;
}

const ran = (root: string): string[] =>
  readdirSync(`${root}/.git`).filter((name) => name.startsWith("ran-"));

testWith(
  { program: "git", proves: "that looking at a repository runs nothing of it" },
  "every key that names a program",
  async () => {
    await using scratch = await createScratchRepository({
      files: { "a.txt": "one\n", "b.txt": "two\n", ".gitattributes": "* filter=x diff=x\n" },
    });
    const program = await trap(scratch);
    for (const key of GIT_PROGRAM_KEYS) await scratch.git("config", key, `${program} '${key}'`);
    for (const name of GIT_ALIASES)
      await scratch.git("config", `alias.${name}`, `!${program} alias`);
    await scratch.git("config", "filter.x.required", "true");
    for (const hook of [
      "post-index-change",
      "fsmonitor-watchman",
      "query-watchman",
      "pre-commit",
    ]) {
      await mkdir(scratch.path(".git/hooks"), { recursive: true });
      await symlink(program, scratch.path(`.git/hooks/${hook}`));
    }
    await scratch.write(".git/info/attributes", "b.txt filter=odd\\ name\n");
    await scratch.write("a.txt", "ONE\n");
    await scratch.write("b.txt", "twO\n");
    await scratch.write("new.txt", "");

    const status = await inertStatus({ cwd: scratch.root, env: scratch.gitEnv, ...LIMITS });
    expect(ran(scratch.root)).toEqual([]);
    expect(status).toContain("# branch.head main");
    expect(status).toMatch(/^1 \.M .* a\.txt$/m);
    expect(status).toMatch(/^1 \.M .* b\.txt$/m);
    expect(status).toContain("? new.txt");

    // The traps are real: what everybody types sets them off.
    await scratch.git("status", "--porcelain").catch(() => {});
    expect(ran(scratch.root).length).toBeGreaterThan(0);
  },
);

testWith(
  { program: "git", proves: "that missing objects and submodules run nothing" },
  "a partial clone whose objects are missing, and a submodule with a filter of its own",
  async () => {
    await using scratch = await createScratchRepository({ files: { "a.txt": "one\n" } });
    const program = await trap(scratch);
    const blob = (await scratch.git("rev-parse", "HEAD:a.txt")).trim();
    await scratch.git("config", "remote.x.promisor", "true");
    await scratch.git("config", "remote.x.partialclonefilter", "blob:none");
    await scratch.git("config", "remote.x.url", `ext::${program} ext`);
    await scratch.git("config", "protocol.ext.allow", "always");
    await scratch.git("config", "extensions.partialClone", "x");
    await scratch.git("-c", "protocol.file.allow=always", "init", "-q", "sub");
    const sub = scratch.path("sub");
    await scratch.write("sub/s.txt", "s\n");
    const inSub = (...args: string[]) => scratch.git("-C", sub, ...args);
    await inSub("add", ".");
    await inSub("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "s");
    await scratch.git("add", "sub");
    await inSub("config", "filter.x.clean", `${program} sub`);
    await scratch.write("sub/.git/info/attributes", "* filter=x\n");
    await scratch.write("sub/s.txt", "S\n");
    const loose = scratch.path(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`);
    await Bun.file(loose).delete();
    await scratch.write("a.txt", "two\n");

    const status = await inertStatus({ cwd: scratch.root, env: scratch.gitEnv, ...LIMITS });
    expect(ran(scratch.root)).toEqual([]);
    expect(status).toContain("# branch.head main");
    await scratch.git("status", "--porcelain").catch(() => {});
    expect(ran(scratch.root).length).toBeGreaterThan(0);
  },
);

testWith(
  { program: "git", proves: "that a hidden repository is not asked" },
  "a bare repository hidden in an ordinary clone",
  async () => {
    await using scratch = await createScratchRepository({ files: { "a.txt": "one\n" } });
    const program = await trap(scratch);
    const hidden = scratch.path("docs");
    await scratch.git("init", "-q", "--bare", hidden);
    const core = ["repositoryformatversion = 0", "bare = false", "worktree = deep"];
    const config = ["[core]", ...core, `fsmonitor = ${program} bare`].join("\n");
    await scratch.write("docs/config", `${config}\n`);
    await scratch.write("docs/deep/x.txt", "");
    for (const cwd of [hidden, scratch.path("docs/deep")]) {
      expect(repositoryOf(cwd)).toBeUndefined();
      expect(await inertStatus({ cwd, env: scratch.gitEnv, ...LIMITS })).toBeUndefined();
    }
    await scratch.write("linked/commondir", "../docs\n");
    await symlink("refs/heads/none", scratch.path("linked/HEAD"));
    expect(repositoryOf(scratch.path("linked"))).toBeUndefined();
    expect(ran(scratch.root)).toEqual([]);
    await scratch.git("-C", hidden, "status", "--porcelain").catch(() => {});
    expect(ran(scratch.root).length).toBeGreaterThan(0);
  },
);

testWith(
  { program: "git", proves: "that a filter's name cannot hide it" },
  "a filter whose name cannot be overridden: no answer instead of a run",
  async () => {
    await using scratch = await createScratchRepository({ files: { "a.txt": "one\n" } });
    const program = await trap(scratch);
    await scratch.git("config", "filter.a=b.clean", `${program} odd`);
    await scratch.write(".git/info/attributes", "* filter=a=b\n");
    await scratch.write("a.txt", "ONE\n");
    const question = { cwd: scratch.root, env: scratch.gitEnv, ...LIMITS };
    expect(await inertStatus(question)).toBeUndefined();
    expect(ran(scratch.root)).toEqual([]);
  },
);

testWith(
  { program: "git", proves: "that looking at a repository ends" },
  "a FIFO where git reads: it is ended when its time is up",
  async () => {
    await using scratch = await createScratchRepository({ files: { "a.txt": "one\n" } });
    expect(Bun.spawnSync(["mkfifo", scratch.path(".gitignore")]).success).toBe(true);
    const question = { cwd: scratch.root, env: scratch.gitEnv, maxOutputBytes: 1024 };
    const since = performance.now();
    expect(await inertStatus({ ...question, timeoutMs: 300 })).toBeUndefined();
    expect(performance.now() - since).toBeLessThan(5_000);
  },
);

test("no repository, no git: nothing is asked", async () => {
  await using scratch = await createScratchDirectory();
  const question = { cwd: scratch.root, ...LIMITS };
  expect(await inertStatus({ ...question, env: { PATH: process.env.PATH } })).toBeUndefined();
  await mkdir(scratch.path(".git"));
  expect(await inertStatus({ ...question, env: { PATH: "" } })).toBeUndefined();
  expect(existsSync(scratch.path(".git/HEAD"))).toBe(false);
});
