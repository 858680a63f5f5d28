// Carries changes that were written against an older text over to the text the file has
// now. A change goes over only if every line it names, and for an insertion the lines on
// both sides, are still there unchanged and next to each other; the result is then what a
// three-way merge of older, edited and present text gives.

import type { LineChange } from "./line-change.ts";
import type { LineIndex } from "./line-index.ts";
import { LineMap } from "./map-lines.ts";

export interface Recovery {
  changes: LineChange[];
  /** Lines have other numbers than the patch said. */
  isShifted: boolean;
}

/** `undefined` if any change cannot be carried over. */
export function recoverChanges(
  changes: readonly LineChange[],
  tagged: LineIndex,
  current: LineIndex,
): Recovery | undefined {
  const map = new LineMap(tagged, current);
  const moved: LineChange[] = [];
  for (const change of changes) {
    const start = carry(change, map);
    if (start === undefined) return undefined;
    moved.push({ ...change, start, end: start + change.end - change.start });
  }
  return {
    changes: moved,
    isShifted: moved.some((change, at) => change.start !== changes[at]!.start),
  };
}

function carry({ start, end }: LineChange, map: LineMap): number | undefined {
  // An insertion hangs on both its neighbours; the edges of the file count as lines.
  const isInsertion = end === start;
  const first = map.find(isInsertion ? start - 1 : start);
  if (first === undefined) return undefined;
  const from = isInsertion ? start - 1 : start;
  const last = isInsertion ? start : end - 1;
  for (let line = from; line <= last; line++) {
    if (map.find(line) !== first + line - from) return undefined;
  }
  return isInsertion ? first + 1 : first;
}
