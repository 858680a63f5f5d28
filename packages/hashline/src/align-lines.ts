// Which lines of one text are which lines of another. Recovery and the printing of changes
// rest on it. Bounded: past a number of differences it goes by lines that occur once in
// both, and compares only what lies between those, so that two unlike texts cost
// milliseconds instead of minutes. A line that is not aligned counts as changed, which is
// always the safe reading.

import { diffArrays } from "diff";

/** `length` lines from `left` (counted from 0) are the lines from `right`. */
export interface AlignedRun {
  left: number;
  right: number;
  length: number;
}

/** Work grows with the square of it: 400 differing lines take about 20 ms. */
const MAX_EDIT_LENGTH = 400;
/** In case the machine is much slower than thought. */
const DIFF_TIMEOUT_MS = 500;

export function alignLines(left: readonly string[], right: readonly string[]): AlignedRun[] {
  const prefix = commonPrefix(left, right);
  const suffix = commonSuffix(left, right, prefix);
  const middle = alignMiddle(
    left.slice(prefix, left.length - suffix),
    right.slice(prefix, right.length - suffix),
  );
  const runs = [
    { left: 0, right: 0, length: prefix },
    ...middle.map((run) => ({ ...run, left: run.left + prefix, right: run.right + prefix })),
    { left: left.length - suffix, right: right.length - suffix, length: suffix },
  ];
  return mergeRuns(runs);
}

function alignMiddle(left: string[], right: string[]): AlignedRun[] {
  const exact = alignExactly(left, right);
  if (exact) return exact;
  const runs: AlignedRun[] = [];
  let leftAt = 0;
  let rightAt = 0;
  for (const run of [
    ...alignUnique(left, right),
    { left: left.length, right: right.length, length: 0 },
  ]) {
    const gap = alignExactly(left.slice(leftAt, run.left), right.slice(rightAt, run.right)) ?? [];
    for (const { left, right, length } of gap) {
      runs.push({ left: left + leftAt, right: right + rightAt, length });
    }
    runs.push(run);
    leftAt = run.left + run.length;
    rightAt = run.right + run.length;
  }
  return runs;
}

/** Undefined if the texts differ by too much to compare every line. */
function alignExactly(left: string[], right: string[]): AlignedRun[] | undefined {
  if (left.length === 0 || right.length === 0) return [];
  const options = { maxEditLength: MAX_EDIT_LENGTH, timeout: DIFF_TIMEOUT_MS };
  const parts = diffArrays(left, right, options);
  if (parts === undefined) return undefined;
  const runs: AlignedRun[] = [];
  let leftAt = 0;
  let rightAt = 0;
  for (const { added, removed, value } of parts) {
    const { length } = value;
    if (!added && !removed) runs.push({ left: leftAt, right: rightAt, length });
    if (!added) leftAt += length;
    if (!removed) rightAt += length;
  }
  return runs;
}

/** Lines that occur once on both sides, in their longest common order, grown outwards. */
function alignUnique(left: string[], right: string[]): AlignedRun[] {
  const onceRight = positionsOfUnique(right);
  const pairs: [number, number][] = [];
  for (const [line, at] of positionsOfUnique(left)) {
    const other = onceRight.get(line);
    if (other !== undefined) pairs.push([at, other]);
  }
  const runs: AlignedRun[] = [];
  let leftDone = 0;
  let rightDone = 0;
  for (let [leftAt, rightAt] of longestRising(pairs)) {
    if (leftAt < leftDone || rightAt < rightDone) continue;
    let [leftEnd, rightEnd] = [leftAt + 1, rightAt + 1];
    while (leftAt > leftDone && rightAt > rightDone && left[leftAt - 1] === right[rightAt - 1]) {
      leftAt--;
      rightAt--;
    }
    while (leftEnd < left.length && rightEnd < right.length && left[leftEnd] === right[rightEnd]) {
      leftEnd++;
      rightEnd++;
    }
    runs.push({ left: leftAt, right: rightAt, length: leftEnd - leftAt });
    leftDone = leftEnd;
    rightDone = rightEnd;
  }
  return runs;
}

function positionsOfUnique(lines: readonly string[]): Map<string, number> {
  const positions = new Map<string, number>();
  for (const [at, line] of lines.entries()) positions.set(line, positions.has(line) ? -1 : at);
  for (const [line, at] of positions) if (at === -1) positions.delete(line);
  return positions;
}

/** The longest subsequence in which the second numbers rise too; the first ones do. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = [];
  const before: number[] = [];
  for (const [at, [, value]] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]![1] < value) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? tails[low - 1]! : -1;
    tails[low] = at;
  }
  const rising: [number, number][] = [];
  for (let at = tails.at(-1) ?? -1; at !== -1; at = before[at]!) rising.push(pairs[at]!);
  return rising.toReversed();
}

function commonPrefix(left: readonly string[], right: readonly string[]): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left[length] === right[length]) length++;
  return length;
}

function commonSuffix(left: readonly string[], right: readonly string[], prefix: number): number {
  const most = Math.min(left.length, right.length) - prefix;
  let length = 0;
  while (length < most && left.at(-1 - length) === right.at(-1 - length)) length++;
  return length;
}

function mergeRuns(runs: readonly AlignedRun[]): AlignedRun[] {
  const merged: AlignedRun[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    if (run.length === 0) continue;
    if (last && last.left + last.length === run.left && last.right + last.length === run.right) {
      last.length += run.length;
    } else merged.push({ ...run });
  }
  return merged;
}
