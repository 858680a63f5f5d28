// Applies the hunks of a diff as `patch` does when it is allowed no fuzz: every line that stays or
// goes is there to the byte, line ends too, and what comes is written as the diff has it. More
// careful in one point: lines that are in several places, and not where the header says, are not
// taken by distance.

import type { ContextHunk, ContextRow } from "../context-patch/context-hunk.ts";
import { PatchError } from "../patch-error.ts";

export interface ExactResult {
  text: string;
  /** In the new text; undefined if nothing changes. */
  firstChangedLine: number | undefined;
}

/** Undefined where the diff does not fit; a `PatchError` for what nothing can settle. */
export function applyExactly(
  before: string,
  hunks: readonly ContextHunk[],
): ExactResult | undefined {
  const lines = linesOf(before);
  const made: string[] = [];
  let copied = 0;
  let offset = 0;
  let firstChangedLine: number | undefined;
  for (const hunk of hunks) {
    const old = hunk.rows.filter(({ kind }) => kind !== "comes");
    const at = locate(hunk, old.map(bytesOf), lines, { from: copied, offset });
    if (at === undefined) return undefined;
    offset = at - expectedAt(hunk, old.length);
    made.push(...lines.slice(copied, at));
    copied = at;
    const [lead, tail] = contextOf(hunk);
    for (const [index, row] of hunk.rows.entries()) {
      // What follows the last change may be named by the next hunk too.
      if (index >= hunk.rows.length - tail) break;
      if (index === lead) firstChangedLine ??= made.length + 1;
      if (row.kind !== "comes") copied++;
      if (row.kind !== "goes") made.push(bytesOf(row));
    }
  }
  made.push(...lines.slice(copied));
  // Only the last line may lack its end.
  if (made.slice(0, -1).some((line) => !line.endsWith("\n"))) return undefined;
  const text = made.join("");
  if (text === before) return { text, firstChangedLine: undefined };
  return { text, firstChangedLine: Math.max(1, Math.min(firstChangedLine ?? 1, made.length)) };
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function bytesOf({ text, hasReturn, isBare }: ContextRow): string {
  return `${text}${hasReturn ? "\r" : ""}${isBare ? "" : "\n"}`;
}

/** How many rows stay before the first change and after the last. */
function contextOf({ rows }: ContextHunk): [number, number] {
  const first = rows.findIndex(({ kind }) => kind !== "stays");
  const last = rows.findLastIndex(({ kind }) => kind !== "stays");
  return [first, rows.length - 1 - last];
}

/** An index; a range of no lines is named by the line before it. */
function expectedAt({ hintLine = 0 }: ContextHunk, oldCount: number): number {
  return oldCount === 0 ? hintLine : hintLine - 1;
}

function locate(
  hunk: ContextHunk,
  wanted: readonly string[],
  lines: readonly string[],
  { from, offset }: { from: number; offset: number },
): number | undefined {
  if (hunk.hintLine === undefined) return undefined;
  const expected = expectedAt(hunk, wanted.length) + offset;
  if (wanted.length === 0) {
    // Nothing but a number says where the lines go; at the start there is only one place.
    return lines.length === 0 || (hunk.hintLine === 0 && from === 0) ? 0 : undefined;
  }
  const last = lines.length - wanted.length;
  const fits = (at: number) =>
    at >= from && at <= last && wanted.every((line, index) => lines[at + index] === line);
  const [lead, tail] = contextOf(hunk);
  // Less context on one side means that the text begins or ends there.
  const edge = lead < tail && hunk.hintLine <= 1 ? 0 : tail < lead ? last : undefined;
  if (edge !== undefined) {
    if (edge !== expected && fits(edge) && fits(expected)) throw twoPlaces(hunk);
    return fits(edge) ? edge : undefined;
  }
  if (fits(expected)) return expected;
  let only: number | undefined;
  for (let at = from; at <= last; at++) {
    if (!fits(at)) continue;
    if (only !== undefined) return undefined;
    only = at;
  }
  return only;
}

/** Tolerance would settle it by the number alone, and `patch` by the end of the text alone. */
function twoPlaces({ patchLine }: ContextHunk): PatchError {
  return new PatchError(
    "ambiguous_match",
    "the lines of this hunk are where its header says, and also at an end of the file, where a hunk with less context on one side belongs. Give as many unchanged lines after the change as before it.",
    { patchLine },
  );
}
