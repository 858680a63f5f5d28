// Finds where an old text is, from exact to tolerant, and what exactly is to change there.
// Only the part in which old and new text differ is replaced, so that what was matched with
// tolerance and is not meant to change stays as the file has it.

import { findLines, shiftLine, type LineMatch } from "../matching/find-lines.ts";
import { foldText } from "../matching/fold-text.ts";
import type { MatchLevel } from "../matching/match-level.ts";
import { withPlainEndings } from "../line-index.ts";
import type { PlainText, TextSplice } from "./plain-text.ts";

export interface TextMatch extends TextSplice {
  level: MatchLevel;
  /** Where the whole old text was found; what changes lies within. */
  found: { start: number; end: number };
}

/** Replacing more places than this at once is beyond what an edit is. */
const MAX_MATCHES = 100_000;

/** All matches of the strictest level that has any, in order; they may overlap. */
export function findText(
  plain: PlainText,
  oldText: string,
  newText: string,
  { isFuzzy }: { isFuzzy: boolean },
): TextMatch[] {
  const [old, made] = [withPlainEndings(oldText), withPlainEndings(newText)];
  const exact = findParts(plain.text, old, made, "exact");
  if (exact.length > 0 || !isFuzzy) return exact;
  const folded = findParts(foldText(plain.text), foldText(old), made, "unicode", old);
  if (folded.length > 0) return folded;
  return findWholeLines(plain.text, old, made);
}

/** Anywhere, also inside lines. `written` is what the old text was before folding. */
function findParts(
  text: string,
  old: string,
  made: string,
  level: MatchLevel,
  written = old,
): TextMatch[] {
  const matches: TextMatch[] = [];
  const same = commonEnds(written, made);
  // "aa" is in "aaa" in two places, and which one is meant is not said: count both.
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + 1)) {
    matches.push({
      found: { start: at, end: at + old.length },
      start: at + same.before,
      end: at + old.length - same.after,
      newText: made.slice(same.before, made.length - same.after),
      level,
    });
    if (matches.length >= MAX_MATCHES) break;
  }
  return matches;
}

/** How much the two have in common at their start and end, in units. */
function commonEnds(old: string, made: string): { before: number; after: number } {
  const most = Math.min(old.length, made.length);
  let before = 0;
  while (before < most && old[before] === made[before]) before++;
  let after = 0;
  while (after < most - before && old.at(-1 - after) === made.at(-1 - after)) after++;
  return { before, after };
}

function findWholeLines(text: string, old: string, made: string): TextMatch[] {
  const lines = text.split("\n");
  const wanted = old.split("\n");
  const rows = made.split("\n");
  // An old text that ends in a line end names whole lines; it does not name the next one.
  const isEnded = wanted.length > 1 && wanted.at(-1) === "";
  if (isEnded) {
    wanted.pop();
    if (rows.at(-1) === "") rows.pop();
  }
  const starts: number[] = [0];
  for (const line of lines) starts.push(starts.at(-1)! + line.length + 1);
  const matches: TextMatch[] = [];
  for (const match of findLines(lines, wanted, { isFuzzy: true })) {
    const splice = lineSplice(match, { lines, starts, wanted, rows });
    const found = { start: starts[match.at]!, end: starts[match.at + wanted.length]! - 1 };
    if (splice) matches.push({ ...splice, level: match.level, found });
  }
  return matches;
}

interface LineSource {
  lines: readonly string[];
  starts: readonly number[];
  wanted: readonly string[];
  rows: readonly string[];
}

function lineSplice(
  { at, shift }: LineMatch,
  { lines, starts, wanted, rows }: LineSource,
): TextSplice | undefined {
  const most = Math.min(wanted.length, rows.length);
  let before = 0;
  while (before < most && wanted[before] === rows[before]) before++;
  let after = 0;
  while (after < most - before && wanted.at(-1 - after) === rows.at(-1 - after)) after++;
  const made = rows.slice(before, rows.length - after).map((row) => shiftLine(row, shift));
  if (made.includes(undefined)) return undefined;
  const first = at + before;
  const end = at + wanted.length - after;
  const joined = made.join("\n");
  if (first === end) {
    // Nothing of the old lines goes: the new ones come before the line that follows.
    const isAtEnd = end >= lines.length;
    const start = isAtEnd ? starts[end]! - 1 : starts[end]!;
    return { start, end: start, newText: isAtEnd ? `\n${joined}` : `${joined}\n` };
  }
  const isLast = end >= lines.length;
  // Whole lines go with their ends; the last line of the text takes the end before it along.
  if (made.length === 0 && isLast && first > 0) {
    return { start: starts[first]! - 1, end: starts[end]! - 1, newText: "" };
  }
  if (made.length === 0) {
    return { start: starts[first]!, end: isLast ? starts[end]! - 1 : starts[end]!, newText: "" };
  }
  return { start: starts[first]!, end: starts[end]! - 1, newText: joined };
}
