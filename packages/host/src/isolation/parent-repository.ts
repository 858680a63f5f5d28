// What an isolated tree has to know of the repository it is made from: where its parts are, what is checked out,
// and whether one can be made of it at all. Asked without running anything of the repository's.

import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { repositoryOf } from "../git/repository-of.ts";
import { IsolationRefused } from "./isolated-tree.ts";
import { GitFailed, runGit, WITH_ATTRIBUTES, type Borrowed } from "./own-git.ts";

export interface ParentRepository extends Borrowed {
  /** Of the working tree, without links. */
  root: string;
  /** Of this working tree, and of all of the repository. */
  gitDirectory: string;
  commonDirectory: string;
  index: string;
  /** Undefined if nothing has been committed on the branch. */
  head: string | undefined;
  /** Whether files may be converted although no attribute of the repository's says so. */
  hasConvertingSettings: boolean;
  /** A user's own, with attributes for all repositories. */
  attributesFile: string | undefined;
  /** `refs/heads/…`; undefined if it is detached. */
  branch: string | undefined;
}

/** One line each; starting git takes longer than answering. The last one fails without a working tree. */
const FACTS = (
  "rev-parse --is-bare-repository --show-object-format --git-dir --git-common-dir " +
  "--git-path index --git-path objects --git-path info/exclude --show-toplevel"
).split(" ");
const FACT_LINES = 8;

const SETTINGS = "^core\\.(excludesfile|autocrlf|attributesfile)$";

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
      const { output } = await runGit({ cwd: found, env, overrides: WITH_ATTRIBUTES }, args, {
        answers: [0, 1],
      });
      return output.toString().replace(/\n$/, "");
    } catch (error) {
      if (!(error instanceof GitFailed)) throw error;
      throw new IsolationRefused(`Git cannot be asked about ${found}: ${error.said}.`);
    }
  };
  const [facts, head, branch, said] = await Promise.all([
    ask(...FACTS),
    ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}"),
    ask("symbolic-ref", "--quiet", "HEAD"),
    ask("config", "-z", "--type=path", "--get-regexp", SETTINGS),
  ]);
  const lines = facts.split("\n");
  const [isBare, objectFormat, ...paths] = lines;
  if (isBare === "true") {
    throw new IsolationRefused(`${found} is a bare repository: it has no working tree to isolate.`);
  }
  if (lines.length !== FACT_LINES) {
    throw new IsolationRefused(`${found} has a line break in its path: move it first.`);
  }
  const [gitDirectory, commonDirectory, index, objects, exclude, root] = paths.map((path) =>
    resolve(found, path),
  ) as [string, string, string, string, string, string];
  // "key\nvalue"; the last one counts.
  const settings = new Map(
    said.split("\0").map((line) => {
      const end = line.indexOf("\n");
      return [line.slice(0, end), line.slice(end + 1)] as const;
    }),
  );
  return {
    root,
    gitDirectory,
    commonDirectory,
    index,
    objects: [objects],
    // Git before 2.25 does not know the word and repeats it.
    objectFormat: objectFormat === "sha256" ? "sha256" : "sha1",
    exclude,
    excludesFile: settings.get("core.excludesfile"),
    hasConvertingSettings: (settings.get("core.autocrlf") ?? "false") !== "false",
    attributesFile: settings.get("core.attributesfile"),
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
