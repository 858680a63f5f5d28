// What differs between an index and the files, as git sees it, and how that is put into an index.

import { entriesOf, listOf } from "./nul-list.ts";
import type { GitRun, OwnGit } from "./own-git.ts";

export interface WorkingChange {
  kind: "changed" | "removed" | "unknown" | "unmerged";
  /** An unknown one that ends with a slash is a directory with a repository of its own. */
  path: string;
}

const KINDS: Readonly<Record<string, WorkingChange["kind"]>> = { D: "removed", U: "unmerged" };

export async function workingChanges(git: OwnGit, run: GitRun): Promise<WorkingChange[]> {
  const [tracked, unknown] = await Promise.all([
    // Not `ls-files -m -d`, which follows a link in the place of a directory.
    git.run(["diff-files", "-z", "--name-status", "--no-renames", "--ignore-submodules=all"], run),
    git.run(["ls-files", "-z", "-o", "--exclude-standard"], run),
  ]);
  const changes: WorkingChange[] = [];
  const words = entriesOf(tracked.output);
  for (let at = 0; at + 1 < words.length; at += 2) {
    changes.push({ kind: KINDS[words[at]!] ?? "changed", path: words[at + 1]! });
  }
  for (const path of entriesOf(unknown.output)) changes.push({ kind: "unknown", path });
  return changes;
}

/** The removed ones first: others may be in their place. The tree that results. */
export async function stage(
  git: OwnGit,
  changes: readonly WorkingChange[],
  run: GitRun,
): Promise<string> {
  const removed = changes.filter(({ kind }) => kind === "removed");
  const others = changes.filter(({ kind }) => kind !== "removed");
  const input = (some: readonly WorkingChange[]) => listOf(some.map(({ path }) => path));
  if (removed.length > 0) {
    const args = ["update-index", "-z", "--force-remove", "--stdin"];
    await git.run(args, { ...run, input: input(removed) });
  }
  if (others.length > 0) {
    const args = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
    await git.run(args, { ...run, input: input(others) });
  }
  return git.word(["write-tree", "--missing-ok"], run);
}
