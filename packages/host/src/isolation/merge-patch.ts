// Merges what an isolated tree has become into the parent's working tree, as uncommitted changes: all of it or
// nothing. With the trees at hand it is git's three-way merge; from the text alone (after a restart, when the tree is
// gone) every hunk has to fit as it is. The parent's index is not touched.

import { join } from "node:path";
import type { TreePatch } from "./isolated-tree.ts";
import { inMergeRoom, type MergePlace, type MergeRoom } from "./merge-room.ts";
import { entriesOf } from "./nul-list.ts";
import { copyIndex } from "./own-git.ts";
import { mergeTrees, type ThreeWay } from "./three-way.ts";
import { writeTree } from "./write-tree.ts";

export type MergeOutcome =
  | { kind: "applied"; files: readonly string[] }
  /** The tree has it all already. */
  | { kind: "nothing" }
  /** Nothing was changed. */
  | { kind: "conflict"; files: readonly string[] };

export type MergeablePatch = Pick<TreePatch, "repository" | "patch"> &
  Partial<Pick<TreePatch, "trees">>;

/** Rejects with `IsolationRefused` and `LockTimeout`. */
export async function mergePatch(place: MergePlace, patch: MergeablePatch): Promise<MergeOutcome> {
  const objects = patch.trees ? [patch.trees.objects] : [];
  const subject = { repository: patch.repository, objects };
  return inMergeRoom(place, subject, async (room): Promise<MergeOutcome> => {
    const merged = await merge(room, patch);
    if (merged.kind !== "merged") return { kind: "conflict", files: merged.files };
    if (merged.tree === room.now.tree) return { kind: "nothing" };
    const { kind, files } = await writeTree(room, merged.tree);
    return kind === "written" ? { kind: "applied", files } : { kind: "conflict", files };
  });
}

async function merge(
  room: MergeRoom,
  { patch, trees }: MergeablePatch,
): Promise<Exclude<ThreeWay, { kind: "unknown" }>> {
  if (trees) {
    const merged = await mergeTrees(room.git, {
      base: trees.before,
      ours: room.now.tree,
      theirs: trees.after,
    });
    if (merged.kind !== "unknown") return merged;
  }
  return applyText(room, patch);
}

/** Of `git apply`: the patch does not fit. */
const DOES_NOT_FIT = 1;

async function applyText(
  { git, now }: MergeRoom,
  patch: Uint8Array,
): Promise<Exclude<ThreeWay, { kind: "unknown" }>> {
  if (patch.length === 0) return { kind: "merged", tree: now.tree };
  const index = join(git.directory, "applied");
  await copyIndex(now.index, index);
  const run = { index, input: patch, answers: [0, DOES_NOT_FIT] };
  const { exitCode } = await git.run(["apply", "--cached", "-"], run);
  if (exitCode === 0) {
    return { kind: "merged", tree: await git.word(["write-tree", "--missing-ok"], { index }) };
  }
  const { output } = await git.run(["apply", "--numstat", "-z", "-"], run);
  return { kind: "conflict", files: numstatPaths(entriesOf(output)) };
}

/** "1\t2\tpath", or for a rename "1\t2\t" and then both paths. */
function numstatPaths(entries: readonly string[]): string[] {
  return entries.map((entry) => entry.replace(/^[\d-]+\t[\d-]+\t/, "")).filter(Boolean);
}
