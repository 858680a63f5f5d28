// What was changed in a tree that is an overlay, from its layer alone: git is given the layer as if it were the
// working tree, with the baseline's index beside it.

import { join } from "node:path";
import { entryAt } from "./in-the-way.ts";
import { entriesOf, listOf } from "./nul-list.ts";
import { isHidden, readLayer } from "./overlay-layer.ts";
import { copyIndex } from "./own-git.ts";
import type { TreeRepository } from "./tree-repositories.ts";
import type { WorkingChange } from "./working-changes.ts";

const NOT_CHECKED_OUT = "S";

export interface LayerChanges {
  changes: WorkingChange[];
  /** Nested repositories that were removed, or are new. */
  repositories: string[];
}

export async function overlayChanges(
  { git, baseline }: TreeRepository,
  upper: string,
): Promise<LayerChanges> {
  // A nested repository whose directory was removed has no layer.
  if (!(await entryAt(upper))?.isDirectory()) return { changes: [], repositories: [] };
  const nested = new Set(baseline.nested);
  const repositories: string[] = [];
  for (const path of nested) {
    const entry = await entryAt(join(upper, path));
    if (entry && !entry.isDirectory()) repositories.push(path);
  }
  const layer = await readLayer(upper, nested);
  const index = join(git.directory, `layer-${crypto.randomUUID()}`);
  await copyIndex(baseline.index, index);
  const lines = entriesOf((await git.run(["ls-files", "-z", "-t"], { index })).output);
  const changes: WorkingChange[] = [];
  const rules: string[] = [];
  const uncovered: string[] = [];
  for (const line of lines) {
    const [tag, path] = [line[0], line.slice(2)];
    if (nested.has(path)) continue;
    if (layer.written.has(path)) {
      changes.push({ kind: "changed", path });
      if (tag === NOT_CHECKED_OUT) uncovered.push(path);
    } else if (tag !== NOT_CHECKED_OUT && isHidden(path, layer)) {
      changes.push({ kind: "removed", path });
    } else if (path === ".gitignore" || path.endsWith("/.gitignore")) rules.push(path);
  }
  // Rules that are not in the layer are read from the index, if git is told that they are not checked out.
  const bits = (word: string, paths: readonly string[]): Promise<unknown> | undefined =>
    paths.length === 0
      ? undefined
      : git.run(["update-index", "-z", word, "--stdin"], { index, input: listOf(paths) });
  await bits("--skip-worktree", rules);
  // Those of files that were written go, in the index that they will be staged in as well.
  if (uncovered.length > 0) {
    const run = { index: baseline.index, input: listOf(uncovered) };
    await git.run(["update-index", "-z", "--no-skip-worktree", "--stdin"], run);
  }
  const removed = changes.filter(({ kind }) => kind === "removed").map(({ path }) => path);
  await bits("--force-remove", removed);
  const args = ["ls-files", "-z", "-o", "--exclude-standard"];
  for (const path of entriesOf((await git.run(args, { index, workTree: upper })).output)) {
    if (!path.endsWith("/")) changes.push({ kind: "unknown", path });
    else if (!nested.has(path.slice(0, -1))) repositories.push(path.slice(0, -1));
  }
  return { changes, repositories };
}
