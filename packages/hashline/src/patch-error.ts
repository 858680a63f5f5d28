// Why a patch was refused, for all edit languages. Decisions read the code; the message is
// for whoever wrote the patch and says what to write instead.

export type PatchErrorCode =
  // What the patch says
  | "missing_header"
  | "missing_tag"
  | "empty_patch"
  | "empty_section"
  | "stray_row"
  | "minus_row"
  | "empty_body"
  | "delete_with_body"
  | "delete_with_colon"
  | "backward_range"
  | "overlap"
  | "foreign_marker"
  | "diff_header"
  | "missing_verb"
  | "bad_header"
  | "ambiguous_row"
  | "pasted_numbers"
  | "conflicting_tags"
  | "too_large"
  | "binary_patch"
  | "unknown_encoding"
  // How it meets the text
  | "line_out_of_range"
  | "unseen_line"
  | "unresolved_block"
  | "no_change"
  | "stale_tag"
  | "unknown_tag"
  | "forgotten_tag"
  | "missing_file"
  | "file_exists"
  // Modes that find their place by content
  | "not_found"
  | "ambiguous_match";

export interface PatchErrorPlace {
  /** Line of the patch, counted from 1. */
  patchLine?: number;
  path?: string;
}

export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly code: PatchErrorCode;
  readonly patchLine: number | undefined;
  readonly path: string | undefined;

  constructor(code: PatchErrorCode, message: string, place: PatchErrorPlace = {}) {
    super(place.patchLine === undefined ? message : `Patch line ${place.patchLine}: ${message}`);
    this.code = code;
    this.patchLine = place.patchLine;
    this.path = place.path;
  }
}

/** How much of an offending row a message quotes, in characters. */
const QUOTE_LENGTH = 80;

export function quoteRow(row: string): string {
  const short = row.length > QUOTE_LENGTH ? `${row.slice(0, QUOTE_LENGTH)}…` : row;
  return JSON.stringify(short);
}
