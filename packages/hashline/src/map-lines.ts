// Where the lines of an older text are in a newer one, if that can be said for certain.
// Equal lines can be paired in several ways (which of three empty lines was deleted?). So
// an aligned line next to a change counts as found only if no line of that change equals
// it, and the lines between it and the change are certain too.

import { alignLines, type AlignedRun } from "./align-lines.ts";
import type { LineIndex } from "./line-index.ts";

/** Line numbers count from 1; 0 stands for the start of the file, count + 1 for its end. */
export class LineMap {
  readonly #newLine: Int32Array;

  constructor(older: LineIndex, newer: LineIndex) {
    const before = older.lines();
    const after = newer.lines();
    const map = new Int32Array(before.length + 2).fill(-1);
    map[0] = 0;
    map[before.length + 1] = after.length + 1;
    for (const { left, right, length } of certainRuns(before, after)) {
      for (let at = 0; at < length; at++) map[left + at + 1] = right + at + 1;
    }
    this.#newLine = map;
  }

  /** The line's number in the newer text; undefined if it changed, went, or is uncertain. */
  find(line: number): number | undefined {
    const found = this.#newLine[line];
    return found === undefined || found === -1 ? undefined : found;
  }
}

/** The aligned runs without those lines at their edges that could be paired otherwise. */
function certainRuns(before: readonly string[], after: readonly string[]): AlignedRun[] {
  const runs = alignLines(before, after);
  const certain: AlignedRun[] = [];
  const end = { left: before.length, right: after.length, length: 0 };
  let above = new Set([...before.slice(0, runs[0]?.left), ...after.slice(0, runs[0]?.right)]);
  for (const [at, run] of runs.entries()) {
    const leftDone = run.left + run.length;
    const rightDone = run.right + run.length;
    const next = runs[at + 1] ?? end;
    const below = new Set([
      ...before.slice(leftDone, next.left),
      ...after.slice(rightDone, next.right),
    ]);
    let first = 0;
    let last = run.length;
    while (first < last && above.has(before[run.left + first]!)) first++;
    while (last > first && below.has(before[run.left + last - 1]!)) last--;
    certain.push({ left: run.left + first, right: run.right + first, length: last - first });
    above = below;
  }
  return certain;
}
