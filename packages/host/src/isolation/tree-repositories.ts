// The repositories of one tree: that of its root, and those nested in it, which git itself does not look into. Each
// has its own baseline, and its changes are its own.

import { join, relative } from "node:path";
import { isByteName } from "../walk/byte-path.ts";
import { createAgentRepository, type AgentRepository } from "./agent-repository.ts";
import { captureBaseline, type Baseline } from "./baseline.ts";
import { IsolationRefused } from "./isolated-tree.ts";
import { OwnGit } from "./own-git.ts";
import { parentRepository, type ParentRepository } from "./parent-repository.ts";

export interface TreeRepository {
  /** Below the root; "" is the root itself. */
  path: string;
  parent: ParentRepository;
  git: OwnGit;
  baseline: Baseline;
  /** The repository that git is to find in the tree, without an index yet. */
  agent: AgentRepository;
}

/** Where those are, in the directory of the tree. */
export const AGENTS = "agent";

export interface TakeOptions {
  /** Of the tree. */
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal | undefined;
}

/** The root's is the first, and whatever is nested follows what it is nested in. Rejects with `IsolationRefused`. */
export async function takeRepositories(
  cwd: string,
  options: TakeOptions,
): Promise<TreeRepository[]> {
  const first = await take(cwd, 0, options);
  const taken = [{ ...first, path: "" }];
  for (const repository of taken) {
    for (const name of repository.baseline.nested) {
      const place = join(repository.parent.root, name);
      try {
        // A directory of that name cannot be entered.
        if (isByteName(place)) throw new IsolationRefused(place);
        const nested = await take(place, taken.length, options);
        taken.push({ ...nested, path: relative(first.parent.root, nested.parent.root) });
      } catch (error) {
        // Broken, or in the middle of something: the rest of the tree is not the worse for it.
        if (!(error instanceof IsolationRefused)) throw error;
        repository.baseline.leftOut.push(name);
      }
    }
  }
  return taken;
}

async function take(cwd: string, number: number, { directory, env, signal }: TakeOptions) {
  const parent = await parentRepository(cwd, env);
  const git = await OwnGit.create(join(directory, "own", `${number}`), env, parent);
  const index = join(git.directory, "baseline");
  const agents = join(directory, AGENTS, `${number}`);
  const [baseline, agent] = await Promise.all([
    captureBaseline(git, parent, { index, signal }),
    createAgentRepository({ directory: agents, parent, git, env }),
  ]);
  return { parent, git, baseline, agent };
}
