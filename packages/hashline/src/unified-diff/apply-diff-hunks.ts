// The hunks of one file of a diff: exactly if they fit so, else with the tolerance that all modes
// have, as far as it loses nothing that the diff says about line ends.

import { noChange } from "../apply-hunks.ts";
import {
  type AppliedContextHunks,
  applyContextHunks,
  type ContextOptions,
} from "../context-patch/apply-context-hunks.ts";
import type { ContextHunk, ContextRow } from "../context-patch/context-hunk.ts";
import { LineIndex } from "../line-index.ts";
import { findLines } from "../matching/find-lines.ts";
import { PatchError } from "../patch-error.ts";
import { applyExactly } from "./apply-exact.ts";

/** Throws a `PatchError` for what cannot be applied; then nothing is. */
export function applyDiffHunks(
  before: string,
  hunks: readonly ContextHunk[],
  options: ContextOptions = {},
): AppliedContextHunks {
  const exact = applyExactly(before, hunks);
  if (exact) {
    const { text, firstChangedLine } = exact;
    if (firstChangedLine === undefined) throw noChange();
    return { text, firstChangedLine, warnings: [] };
  }
  refuseMixedEnds(hunks);
  const rows = hunks.flatMap((hunk) => hunk.rows);
  if (!rows.some(({ isBare }) => isBare)) return applyContextHunks(before, hunks, options);
  return applyContextHunks(before, endingHunks(before, hunks, options), {
    ...options,
    isEnded: !rows.some(({ kind, isBare }) => isBare && kind !== "goes"),
  });
}

/** A diff that changes line ends says where; guessing at them would undo what it says. */
function refuseMixedEnds(hunks: readonly ContextHunk[]): void {
  for (const { rows, patchLine } of hunks) {
    const [first] = rows;
    if (rows.every(({ hasReturn }) => hasReturn === first?.hasReturn)) continue;
    throw new PatchError(
      "not_found",
      "some rows of this hunk end with a carriage return and others do not, and the file does not have these lines with exactly these line ends. Read the file and make the diff again.",
      { patchLine },
    );
  }
}

/** Which of them is at the end of the text, as rows that end without a line end must be. */
function endingHunks(
  before: string,
  hunks: readonly ContextHunk[],
  { isFuzzy = true }: ContextOptions,
): ContextHunk[] {
  const text = new LineIndex(before);
  return hunks.map((hunk, index) => {
    const old = hunk.rows.filter(({ kind }) => kind !== "comes");
    const made = hunk.rows.filter(({ kind }) => kind !== "goes");
    const isMarked = [old, made].some((rows) => rows.some(({ isBare }) => isBare));
    if (!isMarked) return hunk;
    const isLast = index === hunks.length - 1 && onlyAtEnd(old) && onlyAtEnd(made);
    if (!isLast) throw endProblem(hunk, "only the last line of a file can be without a line end");
    const wanted = old.map((row) => row.text);
    // The header may mean one of the other places; then the text does not end as the diff says.
    if (findLines(text.lines(), wanted, { isFuzzy }).length > 1) {
      throw endProblem(hunk, "the lines of this hunk are at the end of the file and elsewhere");
    }
    if (old.at(-1)?.isBare && text.isEnded) {
      throw endProblem(hunk, "the file ends with a line end, and the diff says that it does not");
    }
    return { ...hunk, isAtEnd: true };
  });
}

function onlyAtEnd(rows: readonly ContextRow[]): boolean {
  return !rows.slice(0, -1).some(({ isBare }) => isBare);
}

function endProblem({ patchLine }: ContextHunk, why: string): PatchError {
  return new PatchError("not_found", `${why}. Read the end of the file and make the diff again.`, {
    patchLine,
  });
}
