// A tree as a copy: every file of the baseline is written anew, several at a time. For machines and file systems
// that have no overlay. Nothing is linked to the parent's files, because what writes in place would reach them.
// What git ignores (`node_modules`) is not there.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stageAsParent } from "./agent-repository.ts";
import { copyIndex } from "./own-git.ts";
import type { TreeRepository } from "./tree-repositories.ts";

export async function checkOut(
  repositories: readonly TreeRepository[],
  { root, signal }: { root: string; signal: AbortSignal | undefined },
): Promise<void> {
  for (const { path, parent, git, baseline, agent } of repositories) {
    const workTree = join(root, path);
    await mkdir(workTree, { recursive: true });
    // As it was staged in the parent, before anything was added to it.
    const staged = join(git.directory, "staged");
    await copyIndex(parent.index, staged);
    const stagedTree = await git.word(["write-tree", "--missing-ok"], { index: staged, signal });
    const index = baseline.index;
    await git.run(["checkout-index", "--all", "--quiet", "-u"], { workTree, index, signal });
    await stageAsParent(agent.directory, { git, baseline, staged: stagedTree, index });
    await writeFile(join(workTree, ".git"), agent.link);
  }
}
