// A hunk whose body is still being read: which rows it has, which of them were written
// without `+`, and whether they can be taken as content without guessing.

import { type Hunk, hunkHeader } from "./hunk.ts";
import { PatchError } from "./patch-error.ts";

export const UNMARKED_ROWS_WARNING =
  "Rows without `+` were taken as content. Begin every body row with `+`.";
export const EMPTY_ROWS_WARNING =
  "Empty rows inside a body were taken as empty lines. Write `+` alone for an empty line.";

interface Row {
  text: string;
  marked: boolean;
  patchLine: number;
}

// Beside rows that have their `+` these are decoration around a patch, not part of it.
const DECORATION = /^\s*(?:```|~~~|\*{3})/;
// A remark between two hunks and a forgotten `+` before a comment look the same.
const COMMENT = /^\s*(?:#|\/\/|\/\*|<!--|;)/;

export class OpenHunk {
  readonly hunk: Hunk;
  readonly #rows: Row[] = [];

  constructor(hunk: Hunk) {
    this.hunk = hunk;
  }

  get takesBody(): boolean {
    return "body" in this.hunk;
  }

  /** True if a following row could as well be content as a header. */
  get isUnmarked(): boolean {
    return this.#rows.some((row) => !row.marked && !isEmpty(row));
  }

  add(row: Row): void {
    this.#rows.push(row);
  }

  /** The hunk with what has been read so far; no judgement on it. */
  close(warn: (text: string) => void): Hunk {
    const { hunk } = this;
    if (!("body" in hunk)) return hunk;
    const rows = trimEmpty(this.#rows);
    if (rows.length === 0) throw emptyBody(hunk);
    const body = rows.map((row) => (isEmpty(row) && !row.marked ? "" : row.text));
    const unmarkedRows: number[] = [];
    for (const [at, row] of rows.entries()) if (!row.marked && !isEmpty(row)) unmarkedRows.push(at);
    const isMixed = unmarkedRows.length > 0 && rows.some((row) => row.marked);
    if (isMixed) refuseDoubtful(rows);
    if (unmarkedRows.length > 0) warn(UNMARKED_ROWS_WARNING);
    else if (rows.some((row) => !row.marked)) warn(EMPTY_ROWS_WARNING);
    return isMixed ? { ...hunk, body, unmarkedRows } : { ...hunk, body };
  }
}

function isEmpty(row: Row): boolean {
  return row.text.trim() === "";
}

/** Empty rows around a body are layout. */
function trimEmpty(rows: readonly Row[]): Row[] {
  const isLayout = (row: Row) => !row.marked && isEmpty(row);
  const first = rows.findIndex((row) => !isLayout(row));
  return first === -1 ? [] : rows.slice(first, rows.findLastIndex((row) => !isLayout(row)) + 1);
}

function refuseDoubtful(rows: readonly Row[]): void {
  const lastMarked = rows.findLastIndex((row) => row.marked);
  for (const [at, row] of rows.entries()) {
    if (row.marked || isEmpty(row)) continue;
    const isAfter = at > lastMarked;
    const followsGap = isAfter && isEmpty(rows[at - 1]!) && !rows[at - 1]!.marked;
    if (DECORATION.test(row.text) || followsGap || (isAfter && COMMENT.test(row.text))) {
      throw new PatchError(
        "ambiguous_row",
        "this row has no `+` although others of its hunk do, so it may be content or a remark. Begin it with `+`, or leave it out.",
        { patchLine: row.patchLine },
      );
    }
  }
}

function emptyBody(hunk: Hunk): PatchError {
  const header = hunkHeader(hunk);
  const instead =
    hunk.kind === "replace"
      ? ` To delete lines, use \`delete ${hunk.start}..${hunk.end}\`.`
      : hunk.kind === "replace_block"
        ? ` To delete the block, use \`delete block ${hunk.line}\`.`
        : "";
  return new PatchError(
    "empty_body",
    `\`${header}\` needs at least one \`+TEXT\` row below it (\`+\` alone is an empty line).${instead}`,
    { patchLine: hunk.patchLine },
  );
}
