// The parent's tree as it is, as a git tree: what is committed, what is not, and what git does not know yet, but
// not what it ignores. Taken with a copy of the parent's index, so that only files that have changed are read.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { convertedEntries } from "./converted-files.ts";
import { entryAt } from "./in-the-way.ts";
import { IsolationRefused } from "./isolated-tree.ts";
import {
  entriesOf,
  indexEntriesOf,
  LINK_TO_REPOSITORY,
  listOf,
  type IndexEntry,
} from "./nul-list.ts";
import { copyIfThere, copyIndex, GitFailed, type OwnGit } from "./own-git.ts";
import type { ParentRepository } from "./parent-repository.ts";

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
      git.run(["ls-files", "-z", "-t", "-m", "-d", "-o", "--exclude-standard"], run),
    ]);
    const entries = indexEntriesOf(staged.output);
    refuseUnmerged(entries);
    const { paths, nested, leftOut } = await sortOut(
      parent.root,
      entries,
      entriesOf(changed.output),
    );
    const converted = await convertedEntries(git, parent, entries, run);
    if (converted.length > 0) await forgetTimes(git, converted, run);
    await git.run(["update-index", "-z", "--add", "--remove", "--replace", "--stdin"], {
      ...run,
      input: listOf([...paths, ...converted.map(({ path }) => path)]),
    });
    const tree = await git.word(["write-tree", "--missing-ok"], run);
    return { tree, index, nested, leftOut };
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw new IsolationRefused(`Git cannot take the state of ${parent.root}: ${error.said}.`, {
      cause: error,
    });
  }
}

function refuseUnmerged(entries: readonly IndexEntry[]): void {
  const unmerged = entries.find(({ stage }) => stage > 0);
  if (unmerged === undefined) return;
  throw new IsolationRefused(
    `${unmerged.path} has conflicts of a merge that is not finished: resolve them and \`git add\` it first.`,
  );
}

/** Of what git lists as changed, deleted or unknown. */
async function sortOut(root: string, entries: readonly IndexEntry[], listed: readonly string[]) {
  const links = new Set(
    entries.filter(({ mode }) => mode === LINK_TO_REPOSITORY).map(({ path }) => path),
  );
  const paths = new Set<string>();
  const nested: string[] = [];
  const leftOut: string[] = [];
  for (const line of listed) {
    const [tag, path] = [line[0], line.slice(2)];
    if (links.has(path)) continue;
    // Only a directory with a repository of its own is listed as one.
    if (path.endsWith("/")) nested.push(path.slice(0, -1));
    else if (tag === "?" && (await sizeOf(join(root, path))) > MAX_UNTRACKED_BYTES)
      leftOut.push(path);
    else paths.add(path);
  }
  for (const path of links) {
    if ((await sizeOf(join(root, path, ".git"))) > 0) nested.push(path);
  }
  return { paths, nested, leftOut };
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
