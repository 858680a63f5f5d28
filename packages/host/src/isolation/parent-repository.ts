// What an isolated tree has to know of the repository it is made from: where its parts are, what is checked out,
// and whether one can be made of it at all. Asked without running anything of the repository's.

import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { repositoryOf } from "../git/repository-of.ts";
import { IsolationRefused } from "./isolated-tree.ts";
import { GitFailed, runGit, type Borrowed } from "./own-git.ts";

export interface ParentRepository extends Borrowed {
  /** Of the working tree, without links. */
  root: string;
  /** Of this working tree, and of all of the repository. */
  gitDirectory: string;
  commonDirectory: string;
  index: string;
  /** Undefined if nothing has been committed on the branch. */
  head: string | undefined;
  /** `refs/heads/…`; undefined if it is detached. */
  branch: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Rejects with `IsolationRefused`. */
export async function parentRepository(cwd: string, env: Environment): Promise<ParentRepository> {
  const real = realpathSync(cwd);
  const found = repositoryOf(real);
  if (found === undefined) {
    throw new IsolationRefused(
      `An isolated tree needs a git repository, and ${cwd} is not in one: run it without isolation, or \`git init\` first.`,
    );
  }
  const ask = async (...args: string[]): Promise<string> => {
    try {
      // Without a line break at its end, which a path may have.
      const { output } = await runGit({ cwd: found, env }, args, { answers: [0, 1] });
      return output.toString().replace(/\n$/, "");
    } catch (error) {
      if (!(error instanceof GitFailed)) throw error;
      throw new IsolationRefused(`Git cannot be asked about ${found}: ${error.said}.`);
    }
  };
  const path = async (...args: string[]): Promise<string> =>
    resolve(found, await ask("rev-parse", ...args));
  if ((await ask("rev-parse", "--is-bare-repository")) === "true") {
    throw new IsolationRefused(`${found} is a bare repository: it has no working tree to isolate.`);
  }
  const [gitDirectory, commonDirectory, index, objects, exclude] = await Promise.all([
    path("--git-dir"),
    path("--git-common-dir"),
    path("--git-path", "index"),
    path("--git-path", "objects"),
    path("--git-path", "info/exclude"),
  ]);
  const [root, head, branch, excludesFile] = await Promise.all([
    path("--show-toplevel"),
    ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}"),
    ask("symbolic-ref", "--quiet", "HEAD"),
    ask("config", "--path", "--get", "core.excludesFile"),
  ]);
  return {
    root,
    gitDirectory,
    commonDirectory,
    index,
    objects: [objects],
    // Git before 2.25 does not know the word and repeats it.
    objectFormat: (await ask("rev-parse", "--show-object-format")) === "sha256" ? "sha256" : "sha1",
    exclude,
    excludesFile: excludesFile === "" ? undefined : excludesFile,
    head: head === "" ? undefined : head,
    branch: branch === "" ? undefined : branch,
  };
}

/** What git leaves in its directory while one of its longer commands waits for the user. */
const UNFINISHED: Readonly<Record<string, string>> = {
  MERGE_HEAD: "merge",
  CHERRY_PICK_HEAD: "cherry-pick",
  REVERT_HEAD: "revert",
  "rebase-merge": "rebase",
  "rebase-apply": "rebase",
};

/** The command that has not been finished or aborted. */
export function unfinishedCommand(gitDirectory: string): string | undefined {
  const found = Object.keys(UNFINISHED).find((name) => existsSync(join(gitDirectory, name)));
  return found && UNFINISHED[found];
}
