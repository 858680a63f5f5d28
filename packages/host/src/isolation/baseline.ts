// The parent's tree as it is, as a git tree: what is committed, what is not, and what git does not know yet, but
// not what it ignores. Taken with a copy of the parent's index, so that only files that have changed are read.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { convertedEntries } from "./converted-files.ts";
import { entryAt } from "./in-the-way.ts";
import { IsolationRefused } from "./isolated-tree.ts";
import { listOf, repositoryLinksOf, type IndexEntry } from "./nul-list.ts";
import { copyIfThere, copyIndex, GitFailed, type OwnGit } from "./own-git.ts";
import type { ParentRepository } from "./parent-repository.ts";
import { stage, workingChanges, type WorkingChange } from "./working-changes.ts";

/** A file that git does not know and that is larger was hardly written to be reviewed; it would be read and stored. */
const MAX_UNTRACKED_BYTES = 64 * 1024 * 1024;

export interface Baseline {
  tree: string;
  /** An index file with exactly this tree. */
  index: string;
  /** Directories with repositories of their own. */
  nested: string[];
  /** Files that are there, but not in the tree. */
  leftOut: string[];
}

export interface CaptureOptions {
  /** Where its index is to be. */
  index: string;
  signal: AbortSignal | undefined;
}

/** Rejects with `IsolationRefused`. */
export async function captureBaseline(
  git: OwnGit,
  parent: ParentRepository,
  { index, signal }: CaptureOptions,
): Promise<Baseline> {
  await copyIndex(parent.index, index);
  for (const name of await readdir(parent.gitDirectory)) {
    // An index may be split: the larger part is in a file beside it.
    if (name.startsWith("sharedindex.")) {
      await copyIfThere(join(parent.gitDirectory, name), join(git.directory, name));
    }
  }
  const run = { workTree: parent.root, index, signal };
  try {
    const [staged, changed] = await Promise.all([
      git.run(["ls-files", "-z", "--stage"], run),
      workingChanges(git, run),
    ]);
    refuseUnmerged(changed);
    const { changes, nested, leftOut } = await sortOut(
      parent.root,
      repositoryLinksOf(staged.output),
      changed,
    );
    const converted = await convertedEntries(git, parent, staged.output, run);
    if (converted.length > 0) await forgetTimes(git, converted, run);
    const read = converted.map(({ path }) => ({ kind: "changed" as const, path }));
    // Of a converted file that is gone, or in whose place something else is, that counts.
    const listed = new Set(changes.map(({ path }) => path));
    const all = [...changes, ...read.filter(({ path }) => !listed.has(path))];
    const tree = await stage(git, all, run);
    return { tree, index, nested, leftOut };
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw new IsolationRefused(`Git cannot take the state of ${parent.root}: ${error.said}.`, {
      cause: error,
    });
  }
}

function refuseUnmerged(changes: readonly WorkingChange[]): void {
  const unmerged = changes.find(({ kind }) => kind === "unmerged");
  if (unmerged === undefined) return;
  throw new IsolationRefused(
    `${unmerged.path} has conflicts of a merge that is not finished: resolve them and \`git add\` it first.`,
  );
}

async function sortOut(
  root: string,
  repositoryLinks: readonly string[],
  listed: readonly WorkingChange[],
) {
  const links = new Set(repositoryLinks);
  const changes: WorkingChange[] = [];
  const nested: string[] = [];
  const leftOut: string[] = [];
  for (const change of listed) {
    const { kind, path } = change;
    if (links.has(path)) continue;
    if (path.endsWith("/")) nested.push(path.slice(0, -1));
    else if (kind === "unknown" && (await sizeOf(join(root, path))) > MAX_UNTRACKED_BYTES) {
      leftOut.push(path);
    } else changes.push(change);
  }
  for (const path of links) {
    if ((await sizeOf(join(root, path, ".git"))) > 0) nested.push(path);
  }
  return { changes, nested, leftOut };
}

async function sizeOf(path: string): Promise<number> {
  return (await entryAt(path))?.size ?? 0;
}

/** Otherwise git takes them for what they were when the parent's git read them, through its filters. */
async function forgetTimes(
  git: OwnGit,
  entries: readonly IndexEntry[],
  run: { index: string; workTree: string },
): Promise<void> {
  const lines = entries.map(({ mode, object, path }) => `${mode} ${object} 0\t${path}`);
  await git.run(["update-index", "-z", "--index-info"], { ...run, input: listOf(lines) });
}
