// A hunk that finds its place by the lines around it, as in unified diffs and apply_patch:
// rows that stay, go and come. The two formats differ in their headers only.

import { PatchError, quoteRow } from "../patch-error.ts";

export interface ContextRow {
  kind: "stays" | "goes" | "comes";
  text: string;
  /** A carriage return stood at its end; only unified diffs tell. */
  hasReturn?: boolean;
  /** The text ends with it, without a line end; only unified diffs tell. */
  isBare?: boolean;
}

export interface ContextHunk {
  rows: ContextRow[];
  patchLine: number;
  /** Line of the old text that the header names; a hint, for models miscount. */
  hintLine?: number;
  /** Lines above the hunk that say where it is: a class, then a function in it. */
  scopes: string[];
  /** The hunk is at the end of the file. */
  isAtEnd: boolean;
}

const UNMARKED_CONTEXT_WARNING =
  "Rows without a mark were taken as unchanged lines. Begin each row with a space, `-` or `+`.";

export function startHunk(patchLine: number): ContextHunk {
  return { rows: [], patchLine, scopes: [], isAtEnd: false };
}

/** A row of a hunk's body. One without a mark can only be context: that is checked later. */
export function readContextRow(row: string, warn: (text: string) => void): ContextRow {
  const text = row.slice(1);
  if (row.startsWith("+")) return { kind: "comes", text };
  if (row.startsWith("-")) return { kind: "goes", text };
  if (row.startsWith(" ")) return { kind: "stays", text };
  if (row !== "") warn(UNMARKED_CONTEXT_WARNING);
  return { kind: "stays", text: row };
}

/** Empty rows below a hunk are layout unless they were written as context. */
export function endHunk(hunk: ContextHunk, rawRows: readonly string[]): ContextHunk {
  const rows = [...hunk.rows];
  for (let at = rawRows.length - 1; at >= 0 && rawRows[at] === ""; at--) rows.pop();
  if (!rows.some(({ kind }) => kind !== "stays")) {
    const { patchLine } = hunk;
    throw new PatchError(
      "empty_body",
      "this hunk changes nothing. Mark lines that go with `-` and lines that come with `+`.",
      { patchLine },
    );
  }
  return { ...hunk, rows };
}

export function oldLines(hunk: ContextHunk): string[] {
  return hunk.rows.filter(({ kind }) => kind !== "comes").map(({ text }) => text);
}

export function strayRow(row: string, patchLine: number, instead: string): PatchError {
  return new PatchError("stray_row", `${instead}; got ${quoteRow(row)}.`, { patchLine });
}
