// What an isolated tree costs on a repository of 20,000 files with uncommitted work: until it is ready, by both
// mechanisms and beside bare `git worktree add` in the same rounds, until its changes are a patch, and until that is
// merged.

import { isolate } from "@tau/host/isolation/isolate";
import { IsolationRefused, type IsolatedTree } from "@tau/host/isolation/isolated-tree";
import { mergeBranch } from "@tau/host/isolation/merge-branch";
import { mergePatch } from "@tau/host/isolation/merge-patch";
import { tidyIsolation } from "@tau/host/isolation/tidy-isolation";
import { createScratchDirectory, createScratchRepository } from "@tau/testkit/scratch";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { printTable, type Figure } from "./figure.ts";
import { median } from "./measure.ts";

const FILES = 20_000;
/** Of each kind: changed and new. Every one is an object to write, a millisecond on a slow disk. */
const CHANGED = 20;
const OVERLAY_BAR_MS = 300;
const WORKTREE_RATIO_BAR = 1.2;
const LINES = 40;

type Samples = Record<"bare" | "overlay" | "worktree" | "changes" | "merge" | "branch", number[]>;

export async function measureIsolation(rounds: number): Promise<Figure[]> {
  await using repository = await createScratchRepository();
  await using place = await createScratchDirectory();
  await fill(repository.root);
  await repository.git("add", "--all");
  await repository.git("commit", "-qm", "x");
  // As a clone has it; and the index is older than the files are new.
  await repository.git("repack", "-adq");
  await Bun.sleep(1100);
  await repository.git("status", "--short");
  for (let at = 0; at < CHANGED; at++) {
    await writeFile(join(repository.root, pathOf(at * 7)), `changed ${at}\n`);
    await writeFile(join(repository.root, `new-${at}.txt`), `new ${at}\n`);
  }
  const samples: Samples = {
    bare: [],
    overlay: [],
    worktree: [],
    changes: [],
    merge: [],
    branch: [],
  };
  const env = repository.gitEnv;
  const where = { cwd: repository.root, directory: place.path("trees"), env };
  const merging = { root: repository.root, directory: where.directory, env };
  const once = async (mechanism: "overlay" | "worktree", round: number): Promise<void> => {
    const id = `${mechanism}-${round}`;
    const tree = await timed(samples[mechanism], () => make({ ...where, id }, mechanism));
    if (!tree) return;
    await writeFile(join(tree.root, pathOf(round + 1)), `by the agent ${id}\n`);
    const { patches } = await timed(samples.changes, () => tree.changes());
    const commit = { id, message: id };
    if (mechanism === "overlay") await timed(samples.merge, () => mergePatch(merging, patches[0]!));
    else await timed(samples.branch, () => mergeBranch(merging, patches[0]!, commit));
    await tree.remove();
  };
  // Apart from the others, after which the disk is busy for a while.
  for (let round = 0; round < rounds; round++) await once("overlay", round);
  for (let round = 0; round < rounds; round++) {
    const bare = place.path(`bare-${round}`);
    await timed(samples.bare, () => repository.git("worktree", "add", "-q", "--detach", bare));
    await repository.git("worktree", "remove", "--force", bare);
    await once("worktree", round);
  }
  await tidyIsolation(where.directory, env);
  return figures(samples);
}

/** Undefined if this machine has no such mechanism. */
async function make(
  place: Parameters<typeof isolate>[0],
  mechanism: "overlay" | "worktree",
): Promise<IsolatedTree | undefined> {
  try {
    return await isolate(place, { mechanism });
  } catch (error) {
    if (error instanceof IsolationRefused && mechanism === "overlay") return undefined;
    throw error;
  }
}

function figures({ bare, overlay, worktree, changes, merge, branch }: Samples): Figure[] {
  const about = `${FILES / 1000}k files`;
  const found: Figure[] = [
    { name: `isolation: git worktree add, ${about}`, value: median(bare), unit: "ms" },
    {
      name: `isolation: ready as a worktree, ${about}`,
      value: median(worktree),
      unit: "ms",
      // Of each round, so that a busy moment falls on both.
      ratio: median(worktree.map((value, at) => value / bare[at]!)),
      ratioBar: WORKTREE_RATIO_BAR,
    },
    { name: `isolation: changes as a patch, ${about}`, value: median(changes), unit: "ms" },
    { name: `isolation: merged as a commit, ${about}`, value: median(branch), unit: "ms" },
  ];
  if (merge.length === 0) return found;
  const ready = { name: `isolation: ready as an overlay, ${about}`, value: median(overlay) };
  const merged = { name: `isolation: merged as a patch, ${about}`, value: median(merge) };
  return [...found, { ...ready, unit: "ms", bar: OVERLAY_BAR_MS }, { ...merged, unit: "ms" }];
}

async function timed<T>(samples: number[], work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  samples.push(performance.now() - started);
  return result;
}

const pathOf = (at: number): string =>
  `package-${at % 40}/part-${((at / 40) % 25) | 0}/file-${at}.ts`;

async function fill(root: string): Promise<void> {
  const made = new Set<string>();
  for (let at = 0; at < FILES; at++) {
    const path = pathOf(at);
    const directory = join(root, path, "..");
    if (!made.has(directory)) await mkdir(directory, { recursive: true });
    made.add(directory);
    const lines = Array.from(
      { length: LINES },
      (_, line) => `export const v${line} = ${at * line};\n`,
    );
    await writeFile(join(root, path), lines.join(""));
  }
}

if (import.meta.main) {
  console.log(printTable(await measureIsolation(Number(process.argv[2] ?? 5))));
  process.exit(0);
}
