// The repository that git finds in an isolated tree: of the same commits, branches and settings as the parent's, but
// with a directory of its own, so that whatever is committed, staged or fetched there stays there. The parent's has no
// worktree registered, no branch and no object of it. Hooks are not taken over.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readIfThere } from "../process/process-tree.ts";
import type { Baseline } from "./baseline.ts";
import { entriesOf, listOf } from "./nul-list.ts";
import { copyIfThere, copyIndex, runGit, writeAlternates, type OwnGit } from "./own-git.ts";
import type { ParentRepository } from "./parent-repository.ts";

/** Beside the index and refs, what the meaning of the commits and of the tree depends on. */
const SHARED_FILES = ["config", "shallow", join("info", "exclude"), join("info", "attributes")];
const TREE_FILES = ["config.worktree", join("info", "sparse-checkout")];
/** They say where the parent's tree is and how its refs are kept. */
const PARENTS_OWN = ["core.worktree", "extensions.refStorage"];

export interface AgentRepositoryOptions {
  directory: string;
  parent: ParentRepository;
  git: OwnGit;
  env: Readonly<Record<string, string | undefined>>;
}

export interface AgentRepository {
  directory: string;
  /** The text of the `.git` file that leads to it. */
  link: string;
}

/** Without an index yet. */
export async function createAgentRepository({
  directory,
  parent,
  git,
  env,
}: AgentRepositoryOptions): Promise<AgentRepository> {
  for (const name of ["objects/info", "refs/heads", "info"]) {
    await mkdir(join(directory, name), { recursive: true });
  }
  await writeAlternates(directory, [...parent.objects, git.objects]);
  for (const name of SHARED_FILES) {
    await copyIfThere(join(parent.commonDirectory, name), join(directory, name));
  }
  for (const name of TREE_FILES) {
    await copyIfThere(join(parent.gitDirectory, name), join(directory, name));
  }
  await ownConfig(directory, env);
  const head = parent.branch === undefined ? parent.head : `ref: ${parent.branch}`;
  await writeFile(join(directory, "HEAD"), `${head}\n`);
  const refs = await git.inParent(parent.root, [
    "for-each-ref",
    "--format=%(objectname) %(refname)",
  ]);
  await writeFile(join(directory, "packed-refs"), refs.output);
  return { directory, link: `gitdir: ${directory}\n` };
}

async function ownConfig(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  for (const name of ["config", "config.worktree"]) {
    const file = join(directory, name);
    const text = readIfThere(file) ?? "";
    // Starting git takes longer than looking.
    if (!/worktree|refstorage/i.test(text)) continue;
    for (const key of PARENTS_OWN) {
      const args = ["config", "--file", file, "--unset-all", key];
      // 5: there was none.
      await runGit({ cwd: directory, env }, args, { answers: [0, 5] });
    }
  }
  const text = readIfThere(join(directory, "config")) ?? "";
  await writeFile(join(directory, "config"), `${text}\n[core]\n\tbare = false\n`);
}

/** The files are the parent's own, with their times: so is the index. */
export async function takeParentsIndex(directory: string, parent: ParentRepository): Promise<void> {
  await copyIndex(parent.index, join(directory, "index"));
}

/**
 * The files are new: the index has their times, and for each file that was not staged in the parent what was staged
 * there, so that git tells the same of both trees.
 */
export async function stageAsParent(
  directory: string,
  {
    git,
    baseline,
    staged,
    index,
  }: { git: OwnGit; baseline: Baseline; staged: string; index: string },
): Promise<void> {
  const own = join(directory, "index");
  await copyIndex(index, own);
  const args = ["diff-tree", "-r", "-z", "--no-renames", baseline.tree, staged];
  const words = entriesOf((await git.run(args)).output);
  const lines: string[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    // ":100644 100755 OBJECT OBJECT M", and then the path.
    const [, mode, , object] = words[at]!.split(" ");
    lines.push(`${mode === "000000" ? "0" : mode} ${object} 0\t${words[at + 1]}`);
  }
  if (lines.length === 0) return;
  await git.run(["update-index", "-z", "--index-info"], { index: own, input: listOf(lines) });
}
