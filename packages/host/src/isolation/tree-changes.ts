// What has become of an isolated tree, as patches: one a repository, exact to the byte, against the baseline that
// was taken when it was made, whatever the parent has done since.

import { join } from "node:path";
import { entryAt } from "./in-the-way.ts";
import type { TreeChanges, TreePatch } from "./isolated-tree.ts";
import { entriesOf } from "./nul-list.ts";
import { overlayChanges } from "./overlay-changes.ts";
import type { Overlay } from "./overlay.ts";
import { copyIndex, type OwnGit } from "./own-git.ts";
import type { TreeRepository } from "./tree-repositories.ts";
import { stage, workingChanges, type WorkingChange } from "./working-changes.ts";

/** A file that is new and larger was made by a program, and is nothing to merge. */
const MAX_NEW_BYTES = 64 * 1024 * 1024;

export interface ChangesOptions {
  root: string;
  overlay: Overlay | undefined;
  signal: AbortSignal | undefined;
}

export async function treeChanges(
  repositories: readonly TreeRepository[],
  options: ChangesOptions,
): Promise<TreeChanges> {
  const patches: TreePatch[] = [];
  const leftOut: string[] = [];
  for (const repository of repositories) {
    const listed = await listChanged(repository, options);
    leftOut.push(...listed.leftOut.map((path) => join(repository.path, path)));
    const patch = await patchOf(repository, listed.changes, options);
    if (patch) patches.push(patch);
  }
  return { patches, leftOut };
}

async function listChanged(repository: TreeRepository, { root, overlay, signal }: ChangesOptions) {
  const workTree = filesOf(repository, { root, overlay, signal });
  const found = overlay
    ? await overlayChanges(repository, workTree)
    : await checkedOutChanges(repository, { workTree, signal });
  const changes: WorkingChange[] = [];
  const leftOut = [...found.repositories];
  for (const change of found.changes) {
    const { kind, path } = change;
    const size = kind === "unknown" ? ((await entryAt(join(workTree, path)))?.size ?? 0) : 0;
    if (size > MAX_NEW_BYTES) leftOut.push(path);
    else changes.push(change);
  }
  return { changes, leftOut };
}

/** Where the files are that were written: of an overlay, its layer. */
function filesOf({ path }: TreeRepository, { root, overlay }: ChangesOptions): string {
  return join(overlay?.upper ?? root, path);
}

async function checkedOutChanges(
  { git, baseline }: TreeRepository,
  run: { workTree: string; signal: AbortSignal | undefined },
) {
  const nested = new Set(baseline.nested);
  const changes: WorkingChange[] = [];
  const repositories: string[] = [];
  for (const change of await workingChanges(git, { ...run, index: baseline.index })) {
    const path = change.path.replace(/\/$/, "");
    if (nested.has(path)) continue;
    if (path === change.path) changes.push(change);
    else repositories.push(path);
  }
  return { changes, repositories };
}

async function patchOf(
  treeRepository: TreeRepository,
  changes: readonly WorkingChange[],
  options: ChangesOptions,
): Promise<TreePatch | undefined> {
  const { path: repository, git, baseline, parent } = treeRepository;
  if (changes.length === 0) return undefined;
  const index = join(git.directory, `changes-${crypto.randomUUID()}`);
  await copyIndex(baseline.index, index);
  const run = { workTree: filesOf(treeRepository, options), index, signal: options.signal };
  const after = await stage(git, changes, run);
  const before = baseline.tree;
  if (after === before) return undefined;
  const [patch, files] = await Promise.all([
    git.run([...PATCH, before, after]),
    changedFiles(git, before, after),
  ]);
  const trees = { before, after, head: parent.head, objects: git.objects };
  return { repository, patch: patch.output, files, trees };
}

/** Said in full: a user's configuration changes how a patch is written. */
const PATCH = (
  "diff-tree -p -r --binary --full-index -M --no-color --no-ext-diff --no-textconv " +
  "--src-prefix=a/ --dst-prefix=b/ --ignore-submodules=all"
).split(" ");

export async function changedFiles(git: OwnGit, before: string, after: string): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", before, after];
  return entriesOf((await git.run(args)).output);
}
