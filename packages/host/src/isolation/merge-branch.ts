// Merges what an isolated tree has become as a commit: on the branch that the parent has checked out, as a
// cherry-pick would, but worked out beforehand and without a stash. What the parent has not committed stays as it is,
// staged or not. If it does not merge, the branch `tau/task/ID` has it, and nothing else was changed.
//
// The branch starts at the commit that was checked out when the tree was made. If there was uncommitted work then, its first
// commit is that, so that the second one is the agent's alone. Hooks of the clone are not run.

import { join } from "node:path";
import { IsolationRefused, type PatchTrees, type TreePatch } from "./isolated-tree.ts";
import { filteredPaths } from "./converted-files.ts";
import { inMergeRoom, type MergePlace, type MergeRoom } from "./merge-room.ts";
import { entriesOf, listOf } from "./nul-list.ts";
import { copyIndex, GitFailed, runGit, type GitAnswer, type GitRun } from "./own-git.ts";
import { unfinishedCommand } from "./parent-repository.ts";
import { mergeTrees, type ThreeWay } from "./three-way.ts";
import { writeTree } from "./write-tree.ts";

export interface BranchCommit {
  /** Of the agent; the branch is named after it. */
  id: string;
  message: string;
}

export type BranchOutcome =
  | { kind: "committed"; commit: string; files: readonly string[] }
  | { kind: "nothing" }
  /** The branch has it; nothing else was changed. */
  | { kind: "conflict"; branch: string; files: readonly string[] };

/** Rejects with `IsolationRefused` and `LockTimeout`. */
export async function mergeBranch(
  place: MergePlace,
  { repository, trees, files }: Pick<TreePatch, "repository" | "trees" | "files">,
  commit: BranchCommit,
): Promise<BranchOutcome> {
  return inMergeRoom(place, { repository, objects: [trees.objects] }, async (room) => {
    const branch = `tau/task/${commit.id}`;
    const clone = new Clone(room, place.env);
    await refuse(room, clone, { branch, files });
    const merge = new BranchMerge(room, clone, trees, commit);
    return merge.run(branch);
  });
}

async function refuse(
  { git, parent }: MergeRoom,
  clone: Clone,
  { branch, files }: { branch: string; files: readonly string[] },
): Promise<void> {
  const unfinished = unfinishedCommand(parent.gitDirectory);
  if (unfinished !== undefined) {
    throw new IsolationRefused(
      `A ${unfinished} is not finished in ${parent.root}: finish or abort it, or merge as a patch.`,
    );
  }
  if (parent.head === undefined) {
    throw new IsolationRefused(
      `Nothing has been committed in ${parent.root} yet: commit first, or merge as a patch.`,
    );
  }
  // The trees have the files' bytes, a commit has what a filter makes of them.
  const [filtered] = await filteredPaths(git, parent, files);
  if (filtered !== undefined) {
    throw new IsolationRefused(
      `${filtered} goes through a filter of git's: merge as a patch instead.`,
    );
  }
  const ref = ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`];
  if ((await clone.run(ref, { answers: [0, 1] })).exitCode === 0) {
    throw new IsolationRefused(`There is a branch ${branch} already: delete or rename it first.`);
  }
}

/** The parent's repository itself, which runs nothing of its own. */
class Clone {
  readonly #root: string;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor({ parent }: MergeRoom, env: Readonly<Record<string, string | undefined>>) {
    this.#root = parent.root;
    this.#env = env;
  }

  run(args: readonly string[], run?: GitRun): Promise<GitAnswer> {
    return runGit({ cwd: this.#root, env: this.#env }, args, run);
  }

  /** Of whoever commits here. */
  async identity(): Promise<Record<string, string>> {
    const variables: Record<string, string> = {};
    for (const role of ["AUTHOR", "COMMITTER"]) {
      try {
        const said = (await this.run(["var", `GIT_${role}_IDENT`])).output.toString();
        const [, name = "", email = ""] = /^(.*) <(.*)> \d+ [+-]\d+\s*$/.exec(said) ?? [];
        variables[`GIT_${role}_NAME`] = name;
        variables[`GIT_${role}_EMAIL`] = email;
      } catch (error) {
        if (!(error instanceof GitFailed)) throw error;
        throw new IsolationRefused(
          "Git does not know who commits: set user.name and user.email, or merge as a patch.",
        );
      }
    }
    return variables;
  }
}

interface Publication {
  commit: string;
  head: string;
  /** Of the index. */
  from: string;
  to: string;
}

class BranchMerge {
  readonly #room: MergeRoom;
  readonly #clone: Clone;
  readonly #trees: PatchTrees;
  readonly #commit: BranchCommit;

  constructor(room: MergeRoom, clone: Clone, trees: PatchTrees, commit: BranchCommit) {
    this.#room = room;
    this.#clone = clone;
    this.#trees = trees;
    this.#commit = commit;
  }

  async run(branch: string): Promise<BranchOutcome> {
    const { git, parent, now } = this.#room;
    const head = parent.head!;
    const variables = await this.#clone.identity();
    const headTree = await git.word(["rev-parse", `${head}^{tree}`]);
    const index = join(git.directory, "staged");
    await copyIndex(parent.index, index);
    const stagedTree = await git.word(["write-tree", "--missing-ok"], { index });
    const committed = await this.#merge(headTree);
    const staged = await this.#merge(stagedTree);
    const working = await this.#merge(now.tree);
    if (committed.kind !== "merged" || staged.kind !== "merged" || working.kind !== "merged") {
      const files = [committed, staged, working].flatMap((one) =>
        one.kind === "conflict" ? one.files : [],
      );
      await this.#keepBranch(branch, variables);
      return { kind: "conflict", branch, files: [...new Set(files)].toSorted() };
    }
    if (committed.tree === headTree) return { kind: "nothing" };
    const { message } = this.#commit;
    const commit = await git.word(["commit-tree", committed.tree, "-p", head, "-m", message], {
      variables,
    });
    await this.#bring([commit, staged.tree], [head]);
    const written = await writeTree(this.#room, working.tree);
    if (written.kind === "refused") {
      await this.#keepBranch(branch, variables);
      return { kind: "conflict", branch, files: written.files };
    }
    try {
      await this.#publish({ commit, head, from: stagedTree, to: staged.tree });
    } catch (error) {
      await writeTree({ ...this.#room, now: { ...now, tree: working.tree } }, now.tree);
      throw error;
    }
    return { kind: "committed", commit, files: written.files };
  }

  #merge(ours: string): Promise<ThreeWay> {
    const { before: base, after: theirs } = this.#trees;
    return mergeTrees(this.#room.git, { base, ours, theirs });
  }

  /** Both or neither: somebody may commit at the same time. */
  async #publish({ commit, head, from, to }: Publication): Promise<void> {
    const busy = (error: unknown): unknown =>
      error instanceof GitFailed
        ? new IsolationRefused(
            `Git is busy in ${this.#room.parent.root} (${error.said}): try again.`,
            { cause: error },
          )
        : error;
    try {
      await this.#stage(from, to);
    } catch (error) {
      throw busy(error);
    }
    try {
      const args = ["update-ref", "-m", `tau: ${this.#commit.id}`, "HEAD", commit, head];
      await this.#clone.run(args, { isFinished: true });
    } catch (error) {
      await this.#stage(to, from);
      throw busy(error);
    }
  }

  async #stage(from: string, to: string): Promise<void> {
    const args = ["diff-tree", "-r", "-z", "--no-renames", from, to];
    const words = entriesOf((await this.#room.git.run(args)).output);
    const lines: string[] = [];
    for (let at = 0; at + 1 < words.length; at += 2) {
      const [, mode, , object] = words[at]!.split(" ");
      lines.push(`${mode === "000000" ? "0" : mode} ${object} 0\t${words[at + 1]}`);
    }
    const run = { input: listOf(lines), isFinished: true };
    if (lines.length > 0) await this.#clone.run(["update-index", "-z", "--index-info"], run);
  }

  async #keepBranch(branch: string, variables: Record<string, string>): Promise<void> {
    const { git } = this.#room;
    const { head, before, after } = this.#trees;
    const commit = (tree: string, parents: readonly string[], message: string): Promise<string> =>
      git.word(["commit-tree", tree, ...parents.flatMap((one) => ["-p", one]), "-m", message], {
        variables,
      });
    const start = head === undefined ? [] : [head];
    const isClean =
      head !== undefined && (await git.word(["rev-parse", `${head}^{tree}`])) === before;
    const base = isClean ? start : [await commit(before, start, "Uncommitted work")];
    const tip = await commit(after, base, this.#commit.message);
    await this.#bring([tip], start);
    await this.#clone.run(["update-ref", `refs/heads/${branch}`, tip, ""]);
  }

  /** Objects into the clone, which so far are only in directories of ours. */
  async #bring(wanted: readonly string[], has: readonly string[]): Promise<void> {
    const revisions = [...wanted, ...has.map((one) => `^${one}`)].map((one) => `${one}\n`);
    const args = ["pack-objects", "--quiet", "--stdout", "--revs"];
    const { output } = await this.#room.git.run(args, { input: Buffer.from(revisions.join("")) });
    await this.#clone.run(["unpack-objects", "-q"], { input: output });
  }
}
