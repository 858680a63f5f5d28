// Where a context hunk belongs. One place must be meant beyond doubt: the only one with
// these lines, or the only one after the hunks before it, or the one at the very line the
// header names, or the first inside the scope the header names.

import { findLines, type LineMatch } from "../matching/find-lines.ts";
import { describeNearest } from "../matching/nearest-lines.ts";
import type { LineIndex } from "../line-index.ts";
import { printContext } from "../numbered-lines.ts";
import { PatchError } from "../patch-error.ts";
import { type ContextHunk, oldLines } from "./context-hunk.ts";

export interface LocateOptions {
  isFuzzy: boolean;
  /** Index of the first line after the hunks before this one. */
  cursor: number;
}

const AT_END = { level: "exact", shift: { add: "", remove: "" } } as const;
/** Places shown where there are several. */
const MAX_SHOWN_MATCHES = 5;

export function locateHunk(
  hunk: ContextHunk,
  index: LineIndex,
  lines: readonly string[],
  { isFuzzy, cursor }: LocateOptions,
): LineMatch {
  const wanted = oldLines(hunk);
  if (wanted.length === 0) return placeOfNothing(hunk, lines);
  const scope = findScope(hunk, index, lines, { isFuzzy, cursor });
  const matches = findLines(lines, wanted, { isFuzzy, from: scope?.from ?? 0 });
  const placed = hunk.isAtEnd
    ? matches.filter(({ at }) => at + wanted.length === lines.length)
    : matches;
  const [only] = placed;
  if (!only) throw notFound(hunk, index, wanted);
  if (placed.length === 1) return only;
  const meant = scope
    ? firstInScope(placed, scope.header, lines)
    : (onlyOne(placed.filter(({ at }) => at + 1 === hunk.hintLine)) ??
      onlyOne(placed.filter(({ at }) => at >= cursor)));
  if (meant) return meant;
  const shown = placed.slice(0, MAX_SHOWN_MATCHES).map(({ at }) => at + 1);
  throw new PatchError(
    "ambiguous_match",
    `the lines of this hunk are in the file ${placed.length} times. Give more unchanged lines around the change.\n\n${printContext(index, shown)}`,
    { patchLine: hunk.patchLine },
  );
}

function onlyOne(matches: readonly LineMatch[]): LineMatch | undefined {
  return matches.length === 1 ? matches[0] : undefined;
}

/** Only additions: nothing tells their place but the end of the file, or that it is empty. */
function placeOfNothing(hunk: ContextHunk, lines: readonly string[]): LineMatch {
  if (lines.length === 0 || hunk.isAtEnd) return { at: lines.length, ...AT_END };
  if (hunk.hintLine === 0) return { at: 0, ...AT_END };
  throw new PatchError(
    "not_found",
    "this hunk only adds lines and does not say where. Give at least one unchanged line next to them.",
    { patchLine: hunk.patchLine },
  );
}

interface Scope {
  /** Index of the header's line. */
  header: number;
  from: number;
}

function findScope(
  hunk: ContextHunk,
  index: LineIndex,
  lines: readonly string[],
  { isFuzzy, cursor }: LocateOptions,
): Scope | undefined {
  let scope: Scope | undefined;
  for (const name of hunk.scopes) {
    const from: number = scope?.from ?? 0;
    const matches = findLines(lines, [name], { isFuzzy, from });
    const meant =
      scope && matches.length > 1
        ? firstInScope(matches, scope.header, lines)
        : (onlyOne(matches) ?? onlyOne(matches.filter(({ at }) => at >= cursor)));
    if (!meant) throw scopeNotFound(hunk, name, matches, index);
    scope = { header: meant.at, from: meant.at + 1 };
  }
  return scope;
}

/** The first match, if everything between it and the header is inside what the header opens. */
function firstInScope(
  matches: readonly LineMatch[],
  header: number,
  lines: readonly string[],
): LineMatch | undefined {
  const [first] = matches;
  if (!first) return undefined;
  const depth = indentOf(lines[header]!);
  for (let at = header + 1; at <= first.at; at++) {
    const line = lines[at]!;
    if (line.trim() !== "" && indentOf(line) <= depth) return undefined;
  }
  return first;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function scopeNotFound(
  hunk: ContextHunk,
  name: string,
  matches: readonly LineMatch[],
  index: LineIndex,
): PatchError {
  const { patchLine } = hunk;
  if (matches.length === 0) {
    const nearest = describeNearest(index, [name]);
    const hint = nearest === undefined ? "" : ` The nearest line is:\n\n${nearest}`;
    return new PatchError(
      "not_found",
      `the line ${JSON.stringify(name)} that the header names is not in the file. Copy it exactly, or leave the header empty.${hint}`,
      { patchLine },
    );
  }
  const shown = matches.slice(0, MAX_SHOWN_MATCHES).map(({ at }) => at + 1);
  return new PatchError(
    "ambiguous_match",
    `the line ${JSON.stringify(name)} that the header names is in the file ${matches.length} times. Name an enclosing line first, or give more unchanged lines.\n\n${printContext(index, shown)}`,
    { patchLine },
  );
}

function notFound(hunk: ContextHunk, index: LineIndex, wanted: readonly string[]): PatchError {
  const nearest = describeNearest(index, wanted);
  const hint = nearest === undefined ? "" : ` The nearest place is:\n\n${nearest}`;
  const where = hunk.isAtEnd ? "at the end of the file" : "in the file";
  return new PatchError(
    "not_found",
    `the unchanged and removed lines of this hunk are not ${where}. Read the file and copy them exactly.${hint}`,
    { patchLine: hunk.patchLine },
  );
}
