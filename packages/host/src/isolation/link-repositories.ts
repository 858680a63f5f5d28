// Gives every repository of a tree-to-be the one that git will find there, by a `.git` file in what the overlay puts
// above the parent's directory: it hides the parent's own, whether that is a directory or a file.

import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { takeParentsIndex } from "./agent-repository.ts";
import type { TreeRepository } from "./tree-repositories.ts";

export async function linkRepositories(
  repositories: readonly TreeRepository[],
  upper: string,
): Promise<void> {
  for (const { path, parent, agent } of repositories) {
    await takeParentsIndex(agent.directory, parent);
    await makeLike(upper, repositories[0]!.parent.root, path);
    await writeFile(join(upper, path, ".git"), agent.link);
  }
}

/** The directories down to it, each with the rights that it has in the parent's tree. */
async function makeLike(upper: string, root: string, path: string): Promise<void> {
  let below = "";
  for (const part of ["", ...path.split("/").filter(Boolean)]) {
    below = join(below, part);
    await mkdir(join(upper, below), { recursive: true });
    await chmod(join(upper, below), (await stat(join(root, below))).mode & 0o7777);
  }
}
