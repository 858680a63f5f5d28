// Reads one row as a hunk header. Says three things apart: a header, something that was
// meant as one but is not valid (with the sentence that helps), and no header at all.

import type { FileHunk, Hunk } from "./hunk.ts";
import type { PatchErrorCode } from "./patch-error.ts";

/** How the header is spelled: `loose` is accepted, but could also be a line of content. */
export type HeaderSpelling = "canonical" | "loose";

export type HeaderReading =
  | { kind: "header"; hunk: Hunk | FileHunk; spelling: HeaderSpelling }
  | { kind: "invalid"; code: PatchErrorCode; message: string }
  | { kind: "none" };

export const VERBS_HINT =
  "Use `replace N..M:`, `delete N..M` or `insert before N:|after N:|head:|tail:`";

// `..` is canonical; the others are what people write for a range. A comma is not among
// them: in diffs it stands before a count.
const RANGE = String.raw`(\d{1,9})(?:(\s*(?:\.{2,3}|…|[-–—])\s*|\s+)(\d{1,9}))?`;
const REPLACE = new RegExp(String.raw`^(replace)\s+${RANGE}\s*(:?)$`, "i");
const DELETE = new RegExp(String.raw`^(delete)\s+${RANGE}\s*(:?)$`, "i");
const BLOCK = /^(replace|delete)\s+block\s+(\d{1,9})\s*(:?)$/i;
const INSERT_AT = /^(insert\s+(before|after))\s+(\d{1,9})\s*(:?)$/i;
const INSERT_EDGE = /^(insert\s+(head|tail))\s*(:?)$/i;
const DELETE_FILE = /^(delete\s+file)\s*(:?)$/i;
// Other words for it are read too; what follows is a path as headers have it.
const MOVE = /^((?:move|rename)(?:\s+file)?\s+to)(?:\s*:)?(?:\s+(.*))?$/i;
const VERBLESS = new RegExp(String.raw`^${RANGE}\s*:?$`);
const ALMOST =
  /^(?:(?:replace|delete|insert|remove|append|prepend|add|change|update|swap|substitute|keep)\s+(?:(?:block|lines?|at|before|after|from)\s+)*[L-]?\d|(?:replace|delete|insert)\s*:?$|(?:replace|delete)\s+block\b|insert\s+(?:before|after|head|tail|at|start|end|top|bottom)\b\s*(?:\d|:|$))/i;

const ZERO = "lines are counted from 1. To add at the start of the file, use `insert head:`.";

export function readHunkHeader(row: string, patchLine: number): HeaderReading {
  const trimmed = row.trim();
  const first = trimmed.charCodeAt(0) | 0x20;
  const isDigit = first >= 0x30 && first <= 0x39;
  // Most rows are content: do not try the expressions on what cannot be a header.
  if (!isDigit && (first < 0x61 || first > 0x7a)) return NONE;
  if (isDigit) return readVerbless(trimmed);
  return (
    readRange(row, patchLine) ??
    readBlock(row, patchLine) ??
    readInsert(row, patchLine) ??
    readFile(row, patchLine) ??
    (ALMOST.test(trimmed) ? almost(trimmed) : NONE)
  );
}

const NONE: HeaderReading = { kind: "none" };

function readRange(row: string, patchLine: number): HeaderReading | undefined {
  const trimmed = row.trim();
  const replace = REPLACE.exec(trimmed);
  const match = replace ?? DELETE.exec(trimmed);
  if (!match) return undefined;
  const start = Number(match[2]);
  const end = match[4] === undefined ? start : Number(match[4]);
  const hasColon = match[5] === ":";
  if (!replace && hasColon) return deleteColon(`delete ${start}..${end}`);
  if (start === 0 || end === 0) return invalid("line_out_of_range", ZERO);
  if (end < start) {
    return invalid(
      "backward_range",
      `the range ${start}..${end} ends before it starts. Write the smaller line first.`,
    );
  }
  const kind = replace ? "replace" : "delete";
  const canonical = match[3] === ".." && hasColon === (kind === "replace");
  const spelling = spellingOf(row, match[1]!, canonical);
  const hunk: Hunk =
    kind === "replace"
      ? { kind, start, end, body: [], patchLine }
      : { kind, start, end, patchLine };
  return { kind: "header", hunk, spelling };
}

function readBlock(row: string, patchLine: number): HeaderReading | undefined {
  const match = BLOCK.exec(row.trim());
  if (!match) return undefined;
  const line = Number(match[2]);
  const hasColon = match[3] === ":";
  const isReplace = match[1]!.toLowerCase() === "replace";
  if (!isReplace && hasColon) return deleteColon(`delete block ${line}`);
  if (line === 0) return invalid("line_out_of_range", ZERO);
  const hunk: Hunk = isReplace
    ? { kind: "replace_block", line, body: [], patchLine }
    : { kind: "delete_block", line, patchLine };
  return { kind: "header", hunk, spelling: spellingOf(row, match[1]!, hasColon === isReplace) };
}

function readInsert(row: string, patchLine: number): HeaderReading | undefined {
  const trimmed = row.trim();
  const edge = INSERT_EDGE.exec(trimmed);
  if (edge) {
    const kind = edge[2]!.toLowerCase() === "head" ? "insert_head" : "insert_tail";
    const spelling = spellingOf(row, edge[1]!, edge[3] === ":");
    return { kind: "header", hunk: { kind, body: [], patchLine }, spelling };
  }
  const match = INSERT_AT.exec(trimmed);
  if (!match) return undefined;
  const line = Number(match[3]);
  if (line === 0) return invalid("line_out_of_range", ZERO);
  const kind = match[2]!.toLowerCase() === "before" ? "insert_before" : "insert_after";
  const spelling = spellingOf(row, match[1]!, match[4] === ":");
  return { kind: "header", hunk: { kind, line, body: [], patchLine }, spelling };
}

function readFile(row: string, patchLine: number): HeaderReading | undefined {
  const trimmed = row.trim();
  const gone = DELETE_FILE.exec(trimmed);
  if (gone?.[2] === ":") return deleteColon("delete file");
  if (gone) {
    const spelling = spellingOf(row, gone[1]!, /^delete file$/.test(trimmed));
    return { kind: "header", hunk: { kind: "delete_file", patchLine }, spelling };
  }
  const move = MOVE.exec(trimmed);
  if (!move) return undefined;
  const to = (move[2] ?? "").replace(/^¶/, "").trim();
  if (to === "") return invalid("bad_header", "the new path is missing. Write `move to PATH`.");
  // "move to the left" may be a line of some text that lacks its `+`.
  const isPlain = move[1] === "move to" && !/\s/.test(to);
  const spelling = spellingOf(row, move[1]!, isPlain);
  return { kind: "header", hunk: { kind: "move_file", to, patchLine }, spelling };
}

function readVerbless(trimmed: string): HeaderReading {
  const match = VERBLESS.exec(trimmed);
  if (!match) return NONE;
  const [, start, , end] = match;
  const range = `${start}..${end ?? start}`;
  return invalid(
    "missing_verb",
    `a hunk header needs a verb: write \`replace ${range}:\` to replace or \`delete ${range}\` to delete. If it is content, write \`+${trimmed}\`.`,
  );
}

function almost(trimmed: string): HeaderReading {
  const inline = /^(?:replace|insert)\b[^:]*:\s*\S/i.test(trimmed);
  const hint = inline
    ? "The content goes on the rows below the header, each beginning with `+`."
    : `${VERBS_HINT}.`;
  return invalid(
    "bad_header",
    `this looks like a hunk header but is none. ${hint} If it is content, begin the row with \`+\`.`,
  );
}

function deleteColon(canonical: string): HeaderReading {
  return invalid(
    "delete_with_colon",
    `a delete has no colon and no body. Write \`${canonical}\`, or use \`replace\` to put other lines there.`,
  );
}

function invalid(code: PatchErrorCode, message: string): HeaderReading {
  return { kind: "invalid", code, message };
}

/** Content is often indented or capitalised; a canonical header never is. */
function spellingOf(row: string, verb: string, canonical: boolean): HeaderSpelling {
  return canonical && row.startsWith(verb) && verb === verb.toLowerCase() ? "canonical" : "loose";
}
