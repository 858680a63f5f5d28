// The hunks of one section on the text they were written against, without files and snapshots.

import { noChange, resolveHunks } from "../src/apply-hunks.ts";
import type { Hunk } from "../src/hunk.ts";
import { LineIndex } from "../src/line-index.ts";
import { spliceLines } from "../src/splice-lines.ts";

/** Throws a `PatchError` for what cannot be applied. */
export function applyHunks(
  text: string,
  hunks: readonly Hunk[],
): { text: string; firstChangedLine: number; warnings: string[] } {
  const index = new LineIndex(text);
  const { changes, warnings } = resolveHunks(index, hunks);
  const { text: result, firstChangedLine } = spliceLines(index, changes);
  if (firstChangedLine === undefined) throw noChange();
  return { text: result, firstChangedLine, warnings };
}
