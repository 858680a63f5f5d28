// Finds a run of lines in a text by content, at the strictest level that finds any.

import { foldText } from "./fold-text.ts";
import { LINE_LEVELS, type MatchLevel } from "./match-level.ts";

export interface LineMatch {
  /** Index of the first line, counted from 0. */
  at: number;
  level: MatchLevel;
  /** What every line of the text has in front of the wanted one; negative: has not. */
  shift: IndentShift;
}

export interface IndentShift {
  add: string;
  remove: string;
}

export interface FindOptions {
  isFuzzy: boolean;
  from?: number;
  /** Exclusive end of where a match may begin. */
  until?: number;
}

const NO_SHIFT: IndentShift = { add: "", remove: "" };
/** More matches than this say no more than "ambiguous". */
const MAX_MATCHES = 1000;

/** All matches of the strictest level that has one; a run of no lines is nowhere. */
export function findLines(
  lines: readonly string[],
  wanted: readonly string[],
  { isFuzzy, from = 0, until = lines.length }: FindOptions,
): LineMatch[] {
  if (wanted.length === 0) return [];
  for (const level of isFuzzy ? LINE_LEVELS : LINE_LEVELS.slice(0, 1)) {
    const matches = findAt(level, lines, wanted, from, until);
    if (matches.length > 0) return matches;
  }
  return [];
}

function findAt(
  level: MatchLevel,
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  until: number,
): LineMatch[] {
  const want = wanted.map((line) => normalise(level, line));
  // Lines of nothing would match wherever there is space.
  if (level !== "exact" && want.every((line) => line.trim() === "")) return [];
  const pivot = longestAt(want);
  const have = (at: number) => normalise(level, lines[at]!);
  const last = Math.min(until, lines.length - wanted.length + 1);
  const matches: LineMatch[] = [];
  for (let at = from; at < last && matches.length < MAX_MATCHES; at++) {
    // The longest line is the least common: most places fail on it.
    if (have(at + pivot) !== want[pivot]) continue;
    if (!want.every((line, offset) => have(at + offset) === line)) continue;
    const shift = level === "indentation" ? uniformShift(lines, at, wanted) : NO_SHIFT;
    if (shift) matches.push({ at, level, shift });
  }
  return matches;
}

function longestAt(lines: readonly string[]): number {
  let longest = 0;
  for (const [at, line] of lines.entries()) if (line.length > lines[longest]!.length) longest = at;
  return longest;
}

function normalise(level: MatchLevel, line: string): string {
  if (level === "exact") return line;
  if (level === "trailing_space") return line.trimEnd();
  const folded = foldText(line);
  return level === "unicode" ? folded.trimEnd() : folded.trim();
}

/** The one difference in indentation that all lines share; undefined if they do not. */
function uniformShift(
  lines: readonly string[],
  at: number,
  wanted: readonly string[],
): IndentShift | undefined {
  let shift: IndentShift | undefined;
  for (const [offset, line] of wanted.entries()) {
    if (line.trim() === "") continue;
    const has = indentOf(lines[at + offset]!);
    const wants = indentOf(line);
    const found = has.endsWith(wants)
      ? { add: has.slice(0, has.length - wants.length), remove: "" }
      : wants.endsWith(has)
        ? { add: "", remove: wants.slice(0, wants.length - has.length) }
        : undefined;
    if (!found) return undefined;
    if (shift && (shift.add !== found.add || shift.remove !== found.remove)) return undefined;
    shift = found;
  }
  return shift;
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

/** A new line with the shift of the lines around it; undefined if it is not indented enough. */
export function shiftLine(line: string, { add, remove }: IndentShift): string | undefined {
  if (line.trim() === "") return line;
  if (remove !== "" && !line.startsWith(remove)) return undefined;
  return add + line.slice(remove.length);
}
