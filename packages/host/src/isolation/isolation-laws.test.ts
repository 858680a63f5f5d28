// Laws of isolated trees, over random trees and random work in both: a tree begins as the parent's, a merge into a
// parent that has not moved gives the agent's tree, and into one that has, what git's own merge gives, or nothing.
// `TAU_ISOLATION_RUNS=300 npm test -- isolation-laws` for longer.

import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "bun:test";
import fc from "fast-check";
import {
  createScratchDirectory,
  createScratchRepository,
  type ScratchRepository,
} from "@tau/testkit/scratch";
import { mergePatch } from "./merge-patch.ts";
import { isolated, testEach } from "./test/mechanisms.ts";
import { edits, perform, type Edit } from "./test/random-edits.ts";
import { snapshotOf } from "./test/tree-snapshot.ts";

const RUNS = Number(process.env.TAU_ISOLATION_RUNS ?? 8);
const TIMEOUT_MS = 30_000 + RUNS * 4000;

async function performAll(root: string, all: readonly Edit[]): Promise<void> {
  for (const edit of all) await perform(root, edit);
}

async function commitAll(repository: ScratchRepository): Promise<void> {
  await repository.git("add", "--all");
  await repository.git("commit", "-q", "--allow-empty", "-m", "x");
}

/** What plain git makes of the same three states, with commits and a checkout. */
class Judge implements AsyncDisposable {
  readonly #repository: ScratchRepository;

  private constructor(repository: ScratchRepository) {
    this.#repository = repository;
  }

  static async create(): Promise<Judge> {
    return new Judge(await createScratchRepository());
  }

  async #commit(root: string): Promise<void> {
    const { root: own } = this.#repository;
    // Git keeps no empty directories, but leaves and copies them: one would be in the way of a file.
    for (const name of await readdir(own, { encoding: "buffer" })) {
      const path = Buffer.concat([Buffer.from(`${own}/`), name]);
      if (name.toString() !== ".git") await rm(path, { recursive: true });
    }
    const copy = Bun.spawnSync(["cp", "-a", `${root}/.`, own], { stdin: "ignore" });
    expect(copy.stderr.toString()).toBe("");
    await commitAll(this.#repository);
  }

  async merge(base: string, ours: string, theirs: string) {
    await this.#commit(base);
    await this.#repository.git("checkout", "-qb", "theirs");
    await this.#commit(theirs);
    await this.#repository.git("checkout", "-q", "main");
    await this.#commit(ours);
    const child = Bun.spawnSync(["git", "merge", "-q", "-m", "x", "theirs"], {
      cwd: this.#repository.root,
      env: { ...this.#repository.gitEnv },
    });
    return child.success ? await snapshotOf(this.#repository.root) : "conflict";
  }

  [Symbol.asyncDispose]() {
    return this.#repository[Symbol.asyncDispose]();
  }
}

/** Without its repository, for the judge. */
async function copyOf(root: string, to: string): Promise<string> {
  await mkdir(to);
  const copy = Bun.spawnSync(["cp", "-a", `${root}/.`, to]);
  expect(copy.stderr.toString()).toBe("");
  await rm(join(to, ".git"), { recursive: true, force: true });
  return to;
}

testEach(
  "begins as the parent's, and is merged as git merges",
  async (mechanism) => {
    let merges = 0;
    let conflicts = 0;
    await fc.assert(
      fc.asyncProperty(
        edits(10),
        edits(6),
        edits(8),
        fc.oneof(fc.constant([]), edits(4)),
        fc.boolean(),
        async (committed, uncommitted, agents, parents, isLate) => {
          await using repository = await createScratchRepository();
          await using place = await createScratchDirectory();
          await performAll(repository.root, committed);
          await commitAll(repository);
          await performAll(repository.root, uncommitted);
          const baseline = await snapshotOf(repository.root);
          const base = await copyOf(repository.root, place.path("base"));
          await using tree = await isolated(repository, place.path("trees"), { mechanism });
          expect(await snapshotOf(tree.root)).toEqual(baseline);

          await performAll(tree.root, agents);
          expect(await snapshotOf(repository.root)).toEqual(baseline);
          const theirs = await copyOf(tree.root, place.path("theirs"));
          const agent = await snapshotOf(theirs);
          const early = (await tree.changes()).patches;
          await performAll(repository.root, parents);
          const moved = await snapshotOf(repository.root);
          const ours = await copyOf(repository.root, place.path("ours"));
          if (early.length === 0) expect(agent).toEqual(baseline);
          // What is asked for after the parent has moved comes to the same.
          const [patch] = isLate ? (await tree.changes()).patches : early;
          const merging = {
            root: repository.root,
            directory: place.path("trees"),
            env: repository.gitEnv,
          };
          const outcome = patch ? await mergePatch(merging, patch) : { kind: "nothing" };
          const after = await snapshotOf(repository.root);
          await using judge = await Judge.create();
          const judged = await judge.merge(base, ours, theirs);
          if (outcome.kind === "conflict") {
            conflicts += 1;
            expect(judged).toBe("conflict");
            expect(after).toEqual(moved);
          } else {
            merges += 1;
            expect(after).toEqual(judged as Record<string, string>);
          }
          if (JSON.stringify(moved) === JSON.stringify(baseline)) expect(after).toEqual(agent);
        },
      ),
      { numRuns: RUNS },
    );
    // It has seen something.
    expect(merges + conflicts).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
