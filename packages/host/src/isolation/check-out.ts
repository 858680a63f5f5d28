// A tree as a copy: every file of the baseline is written anew, several at a time. For machines and file systems
// that have no overlay. Nothing is linked to the parent's files, because what writes in place would reach them.
// What git ignores (`node_modules`) is not there.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAgentRepository, stageAsParent } from "./agent-repository.ts";
import { copyIndex } from "./own-git.ts";
import type { TreeRepository } from "./tree-repositories.ts";

export interface CheckOutOptions {
  root: string;
  agents: string;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal | undefined;
}

export async function checkOut(
  repositories: readonly TreeRepository[],
  { root, agents, env, signal }: CheckOutOptions,
): Promise<void> {
  for (const [number, { path, parent, git, baseline }] of repositories.entries()) {
    const workTree = join(root, path);
    await mkdir(workTree, { recursive: true });
    const directory = join(agents, `${number}`);
    // One for an overlay that could not be mounted may be there.
    await rm(directory, { recursive: true, force: true });
    const text = await createAgentRepository({ directory, parent, git, env });
    // As it was staged in the parent, before anything was added to it.
    const staged = join(git.directory, "staged");
    await copyIndex(parent.index, staged);
    const stagedTree = await git.word(["write-tree", "--missing-ok"], { index: staged, signal });
    const index = baseline.index;
    await git.run(["checkout-index", "--all", "--quiet", "-u"], { workTree, index, signal });
    await stageAsParent(directory, { git, baseline, staged: stagedTree, index });
    await writeFile(join(workTree, ".git"), text);
  }
}
