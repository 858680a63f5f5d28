// Applies the hunks of one section to the text they were written against.

import type { Hunk } from "./hunk.ts";
import {
  type LineChange,
  type ResolveBlock,
  type ResolvedBlock,
  resolveHunk,
} from "./line-change.ts";
import { LineIndex } from "./line-index.ts";
import { orderChanges, orderWithoutOverlap } from "./order-changes.ts";
import { unpasteHunk } from "./pasted-rows.ts";
import { PatchError } from "./patch-error.ts";
import { type SplicedText, spliceLines } from "./splice-lines.ts";

export interface ResolvedHunks {
  /** In the order of the text. */
  changes: LineChange[];
  blocks: ResolvedBlock[];
  warnings: string[];
}

export interface AppliedHunks extends SplicedText {
  text: string;
  firstChangedLine: number;
  blocks: ResolvedBlock[];
  warnings: string[];
}

/** Throws a `PatchError` for what cannot be applied; then nothing is. */
export function applyHunks(
  text: string,
  hunks: readonly Hunk[],
  resolveBlock?: ResolveBlock,
): AppliedHunks {
  const index = new LineIndex(text);
  const { changes, blocks, warnings } = resolveHunks(index, hunks, resolveBlock);
  const { text: result, firstChangedLine } = spliceLines(index, changes);
  if (firstChangedLine === undefined) throw noChange();
  return { text: result, firstChangedLine, blocks, warnings };
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

/** For a preview: leaves out what cannot be applied, and never throws. */
export function previewHunks(
  text: string,
  hunks: readonly Hunk[],
  resolveBlock?: ResolveBlock,
): SplicedText {
  const index = new LineIndex(text);
  const changes: LineChange[] = [];
  for (const hunk of hunks) {
    try {
      const { change } = resolveHunk(unpasteHunk(hunk, index, ignoreWarning), index, resolveBlock);
      changes.push(change);
    } catch (error) {
      // The whole patch will say so when it has arrived.
      if (!(error instanceof PatchError)) throw error;
    }
  }
  return spliceLines(index, orderWithoutOverlap(changes));
}

function ignoreWarning(): void {}

export function noChange(path?: string): PatchError {
  const where = path === undefined ? "The edit" : `The edit of ${path}`;
  return new PatchError(
    "no_change",
    `${where} changes nothing: the body is what these lines already hold. Read the file again to see whether the lines are the right ones; do not send more rows.`,
    { path },
  );
}
