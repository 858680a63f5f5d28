// The place in a text that is most like some lines that were not found. Shown in refusals,
// never edited.

import type { LineIndex } from "../line-index.ts";
import { printContext } from "../numbered-lines.ts";

/** Below this share of equal words a place is no help. */
const MIN_LIKENESS = 0.4;
/** Enough of a long text to recognise it by. */
const MAX_COMPARED_LINES = 12;
/** A refusal must not take longer than the edit would have, in line comparisons. */
const MAX_COMPARISONS = 2_000_000;

/** The numbered lines of the nearest place, or undefined if nothing is like it. */
export function describeNearest(index: LineIndex, wanted: readonly string[]): string | undefined {
  const sought = wanted.filter((line) => line.trim() !== "").slice(0, MAX_COMPARED_LINES);
  if (sought.length === 0) return undefined;
  const lead = wanted.findIndex((line) => line.trim() !== "");
  const words = sought.map(wordsOf);
  const lines: ReadonlySet<string>[] = [];
  const most = Math.min(index.count, Math.floor(MAX_COMPARISONS / sought.length));
  for (let line = 1; line <= most; line++) lines.push(wordsOf(index.line(line)));
  let best = { at: -1, likeness: 0 };
  for (let at = 0; at < lines.length; at++) {
    let likeness = 0;
    for (const [offset, want] of words.entries()) likeness += likenessOf(want, lines[at + offset]);
    if (likeness > best.likeness) best = { at, likeness };
  }
  if (best.likeness / sought.length < MIN_LIKENESS) return undefined;
  const first = Math.max(1, best.at + 1 - lead);
  const last = Math.min(index.count, first + Math.min(wanted.length, MAX_COMPARED_LINES) - 1);
  return printContext(
    index,
    Array.from({ length: last - first + 1 }, (_, offset) => first + offset),
  );
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu));
}

function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string> | undefined): number {
  if (!other || one.size === 0 || other.size === 0) return 0;
  let common = 0;
  for (const word of one) if (other.has(word)) common++;
  return (2 * common) / (one.size + other.size);
}
