// Applies context hunks to a text. Lines that stay are never written, so they keep the
// file's bytes also where they were matched with tolerance.

import { noChange } from "../apply-hunks.ts";
import type { LineChange } from "../line-change.ts";
import { LineIndex } from "../line-index.ts";
import { shiftLine, type LineMatch } from "../matching/find-lines.ts";
import { describeMatch } from "../matching/match-level.ts";
import { orderChanges } from "../order-changes.ts";
import { PatchError } from "../patch-error.ts";
import { spliceLines } from "../splice-lines.ts";
import type { ContextHunk } from "./context-hunk.ts";
import { locateHunk } from "./locate-hunk.ts";

export interface ContextOptions {
  /** Allow for differences in spaces, typography and indentation; true unless told otherwise. */
  isFuzzy?: boolean;
  /** Whether the new text ends with a line end; as the old one unless told. */
  isEnded?: boolean;
}

export interface AppliedContextHunks {
  text: string;
  firstChangedLine: number;
  warnings: string[];
}

/** Throws a `PatchError` for what cannot be applied; then nothing is. */
export function applyContextHunks(
  text: string,
  hunks: readonly ContextHunk[],
  { isFuzzy = true, isEnded }: ContextOptions = {},
): AppliedContextHunks {
  const index = new LineIndex(text);
  const lines = index.lines();
  const changes: LineChange[] = [];
  const warnings: string[] = [];
  let cursor = 0;
  /** How far the hunk before was from where its header has it. */
  let offset = 0;
  for (const hunk of hunks) {
    const hintLine = hunk.hintLine === undefined ? undefined : hunk.hintLine + offset;
    const match = locateHunk({ ...hunk, hintLine }, index, lines, { isFuzzy, cursor });
    if (hunk.hintLine !== undefined) offset = match.at + 1 - hunk.hintLine;
    changes.push(...changesOf(hunk, match));
    const what = `The hunk on patch line ${hunk.patchLine}`;
    const warning = describeMatch(match.level, what, match.at + 1);
    if (warning !== undefined) warnings.push(warning);
    cursor = match.at + hunk.rows.filter(({ kind }) => kind !== "comes").length;
  }
  const result = spliceLines(index, orderChanges(changes));
  const ended = isEnded === undefined ? result.text : withEnd(result.text, index, isEnded);
  if (ended === text) throw noChange();
  const { firstChangedLine = new LineIndex(ended).count } = result;
  return { text: ended, firstChangedLine, warnings };
}

function withEnd(text: string, before: LineIndex, isEnded: boolean): string {
  const made = new LineIndex(text);
  if (made.count === 0 || made.isEnded === isEnded) return text;
  if (isEnded) return text + before.endingNear(before.count);
  return text.slice(0, text.length - made.ending(made.count)!.length);
}

/** One change for each group of rows that go and come, between rows that stay. */
function changesOf(hunk: ContextHunk, { at, shift }: LineMatch): LineChange[] {
  const { patchLine } = hunk;
  const changes: LineChange[] = [];
  let line = at + 1;
  let open: { start: number; body: string[] } | undefined;
  const close = () => {
    if (open) changes.push({ ...open, end: line, side: "range", patchLine });
    open = undefined;
  };
  for (const { kind, text } of hunk.rows) {
    if (kind === "stays") {
      close();
      line++;
      continue;
    }
    open ??= { start: line, body: [] };
    if (kind === "goes") line++;
    else open.body.push(requireShift(shiftLine(text, shift), hunk));
  }
  close();
  return changes;
}

function requireShift(line: string | undefined, { patchLine }: ContextHunk): string {
  if (line !== undefined) return line;
  throw new PatchError(
    "not_found",
    "the lines of this hunk are in the file with less indentation than some new line has. Copy the indentation of the file exactly.",
    { patchLine },
  );
}
