// The rows of one hunk of a unified diff. Programs count them in the header, and then a row that
// looks like a header may be content and the text after the last row is none of it. Models
// miscount, and then only the rows themselves tell: they are taken, and that is said.

import {
  type ContextHunk,
  endHunk,
  readContextRow,
  startHunk,
} from "../context-patch/context-hunk.ts";
import { PatchError, quoteRow } from "../patch-error.ts";

export const MISCOUNTED_WARNING =
  "The counts in a hunk's header do not fit its rows; the rows were applied as they are.";

const COUNTED = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;
const NUMBERED = /^@@\s*-(\d{1,9})(?:,\d+)?\s+\+\d+(?:,\d+)?\s*(?:@@.*)?$/;
const NO_NEWLINE = /^\\ /;
/** Where a hunk ends whose rows were not counted. */
const HEADER =
  /^(?:@@|diff |Index: |index [0-9a-f]+\.\.|old mode |new mode |new file mode |deleted file mode |similarity index |rename (?:from|to) |copy (?:from|to) |GIT binary patch|```)/;

export interface ReadHunk {
  hunk: ContextHunk;
  /** Index of the first row after it. */
  end: number;
}

/** Rows without line feeds; `at` is the index of the row with `@@`. */
export function readDiffHunk(
  rows: readonly string[],
  at: number,
  warn: (text: string) => void,
): ReadHunk {
  if (rows[at]!.startsWith("@@@")) {
    throw new PatchError(
      "foreign_marker",
      "this is a combined diff of a merge, which cannot be applied. Make a diff against one parent.",
      { patchLine: at + 1 },
    );
  }
  const counted = COUNTED.exec(rows[at]!);
  const found = counted ? readCounted(rows, at, counted, warn) : undefined;
  if (found) return found;
  const loose = readLoose(rows, at, warn);
  if (counted) warn(MISCOUNTED_WARNING);
  return loose;
}

function readCounted(
  rows: readonly string[],
  at: number,
  [, start, oldCount = "1", , newCount = "1"]: RegExpExecArray,
  warn: (text: string) => void,
): ReadHunk | undefined {
  const hunk = startHunk(at + 1);
  hunk.hintLine = Number(start);
  let [old, made] = [Number(oldCount), Number(newCount)];
  let next = at + 1;
  for (; old > 0 || made > 0 || isMark(rows[next]); next++) {
    const row = rows[next];
    if (row === undefined) return undefined;
    if (isMark(row)) {
      if (!markBare(hunk)) return undefined;
      continue;
    }
    const isRow = row === "" || row === "\r" || /^[ +\-\t]/.test(row);
    if (!isRow) return undefined;
    const read = addRow(hunk, row, warn);
    if (read !== "comes") old--;
    if (read !== "goes") made--;
    if (old < 0 || made < 0) return undefined;
  }
  if (hunk.rows.length === 0 || continues(rows, next)) return undefined;
  return { hunk: endHunk(hunk, []), end: next };
}

function readLoose(rows: readonly string[], at: number, warn: (text: string) => void): ReadHunk {
  const hunk = startHunk(at + 1);
  const line = NUMBERED.exec(rows[at]!)?.[1];
  if (line !== undefined) hunk.hintLine = Number(line);
  let next = at + 1;
  for (; next < rows.length; next++) {
    const row = rows[next]!;
    if (HEADER.test(row) || isFileHeader(rows, next) || isSignature(rows, next)) break;
    if (!isMark(row)) addRow(hunk, row, warn);
    else if (!markBare(hunk)) throw strayMark(row, next + 1);
  }
  const raw = rows.slice(at + 1, next).filter((row) => !isMark(row));
  return {
    hunk: endHunk(
      hunk,
      raw.map((row) => (row === "\r" ? "" : row)),
    ),
    end: next,
  };
}

/** A removed line may begin with `--`; only the pair of headers is sure to be one. */
export function isFileHeader(rows: readonly string[], at: number): boolean {
  return /^--- \S/.test(rows[at] ?? "") && /^\+\+\+ \S/.test(rows[at + 1] ?? "");
}

/** What git puts below a patch that it sends by mail. */
function isSignature(rows: readonly string[], at: number): boolean {
  return /^-- \r?$/.test(rows[at] ?? "") && /^\d+\.\d+/.test(rows[at + 1] ?? "");
}

/** A row that can only be more of the hunk, although all are counted. */
function continues(rows: readonly string[], at: number): boolean {
  const row = rows[at] ?? "";
  if (!/^[ +-]/.test(row) || row.trim() === "") return false;
  return !isFileHeader(rows, at) && !/^-- \r?$/.test(row);
}

function addRow(hunk: ContextHunk, row: string, warn: (text: string) => void) {
  const hasReturn = row.endsWith("\r");
  const read = readContextRow(hasReturn ? row.slice(0, -1) : row, warn);
  hunk.rows.push(hasReturn ? { ...read, hasReturn } : read);
  return read.kind;
}

function isMark(row: string | undefined): row is string {
  return row !== undefined && NO_NEWLINE.test(row);
}

/** False where there is no row that it could belong to. */
function markBare(hunk: ContextHunk): boolean {
  const last = hunk.rows.at(-1);
  if (!last || last.isBare) return false;
  last.isBare = true;
  return true;
}

function strayMark(row: string, patchLine: number): PatchError {
  return new PatchError(
    "stray_row",
    `${quoteRow(row)} belongs below a row of a hunk. Put it there, or leave it out.`,
    { patchLine },
  );
}
