// Git's own three-way merge, of trees: nothing is checked out for it, and nothing of it is written but objects.

import { entriesOf } from "./nul-list.ts";
import type { OwnGit } from "./own-git.ts";

export type ThreeWay =
  | { kind: "merged"; tree: string }
  | { kind: "conflict"; files: string[] }
  /** Git before 2.38 cannot. */
  | { kind: "unknown" };

export interface ThreeTrees {
  base: string;
  ours: string;
  theirs: string;
}

/** Commits that nobody ever sees, by nobody. */
const NOBODY = {
  GIT_AUTHOR_NAME: "tau",
  GIT_AUTHOR_EMAIL: "tau",
  GIT_COMMITTER_NAME: "tau",
  GIT_COMMITTER_EMAIL: "tau",
};
const USAGE = 129;

export async function mergeTrees(
  git: OwnGit,
  { base, ours, theirs }: ThreeTrees,
): Promise<ThreeWay> {
  if (ours === base || ours === theirs) return { kind: "merged", tree: theirs };
  if (theirs === base) return { kind: "merged", tree: ours };
  const commit = (tree: string, ...parents: string[]): Promise<string> =>
    git.word(["commit-tree", tree, ...parents.flatMap((one) => ["-p", one]), "-m", "-"], {
      variables: NOBODY,
    });
  const before = await commit(base);
  const [one, other] = await Promise.all([commit(ours, before), commit(theirs, before)]);
  const { exitCode, output } = await git.run(
    ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", one, other],
    { answers: [0, 1, USAGE] },
  );
  if (exitCode === USAGE) return { kind: "unknown" };
  const [tree = "", ...files] = entriesOf(output);
  if (exitCode === 0) return { kind: "merged", tree };
  return { kind: "conflict", files: [...new Set(files)] };
}
