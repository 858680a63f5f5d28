// Puts the changes of one text in order and refuses those that touch the same lines. The
// order decides what two insertions at one place give, so it is fixed here for all.

import type { LineChange } from "./line-change.ts";
import { PatchError } from "./patch-error.ts";

/** At one place: the start of the file, what follows the line above, what precedes the line below. */
const SIDE_ORDER = { head: 0, after: 1, before: 2, range: 3, tail: 4 } as const;

export function orderChanges(changes: readonly LineChange[]): LineChange[] {
  const ordered = sortChanges(changes);
  let previous: LineChange | undefined;
  for (const change of ordered) {
    if (previous && change.start < previous.end) throw overlap(previous, change);
    if (change.end > change.start) previous = change;
  }
  return ordered;
}

function sortChanges(changes: readonly LineChange[]): LineChange[] {
  return changes.toSorted(
    (a, b) =>
      a.start - b.start || SIDE_ORDER[a.side] - SIDE_ORDER[b.side] || a.patchLine - b.patchLine,
  );
}

function overlap(one: LineChange, other: LineChange): PatchError {
  const [first, second] = one.patchLine <= other.patchLine ? [one, other] : [other, one];
  // An insertion inside a range hangs on the line before or after it.
  const line = other.side === "after" ? other.start - 1 : other.start;
  return new PatchError(
    "overlap",
    `line ${line} is already taken by the hunk on patch line ${first.patchLine}. Write one hunk for a range, with its final content only.`,
    { patchLine: second.patchLine },
  );
}
