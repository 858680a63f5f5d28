// What the hunks of one section change in the text they were written against.

import type { Hunk } from "./hunk.ts";
import {
  type LineChange,
  type ResolveBlock,
  type ResolvedBlock,
  resolveHunk,
} from "./line-change.ts";
import { LineIndex } from "./line-index.ts";
import { orderChanges } from "./order-changes.ts";
import { unpasteHunk } from "./pasted-rows.ts";
import { PatchError } from "./patch-error.ts";

export interface ResolvedHunks {
  /** In the order of the text. */
  changes: LineChange[];
  blocks: ResolvedBlock[];
  warnings: string[];
}

export function resolveHunks(
  index: LineIndex,
  hunks: readonly Hunk[],
  resolveBlock?: ResolveBlock,
): ResolvedHunks {
  const warnings = new Set<string>();
  const changes: LineChange[] = [];
  const blocks: ResolvedBlock[] = [];
  for (const hunk of hunks) {
    const meant = unpasteHunk(hunk, index, (warning) => warnings.add(warning));
    const { change, block } = resolveHunk(meant, index, resolveBlock);
    changes.push(change);
    if (block) blocks.push(block);
  }
  return { changes: orderChanges(changes), blocks, warnings: [...warnings] };
}

export function noChange(path?: string): PatchError {
  const where = path === undefined ? "The edit" : `The edit of ${path}`;
  return new PatchError(
    "no_change",
    `${where} changes nothing: the body is what these lines already hold. Read the file again to see whether the lines are the right ones; do not send more rows.`,
    { path },
  );
}
