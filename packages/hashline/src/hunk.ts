// One operation of a patch, as written: its numbers are lines of the tagged text, its body
// the final content of the place it names.

interface Written {
  /** Line of the patch that holds the hunk's header, counted from 1. */
  patchLine: number;
}

interface WithBody extends Written {
  body: string[];
  /** Indexes of rows that were written without `+` beside rows that have it. */
  unmarkedRows?: number[];
}

export interface ReplaceHunk extends WithBody {
  kind: "replace";
  start: number;
  end: number;
}
export interface ReplaceBlockHunk extends WithBody {
  kind: "replace_block";
  line: number;
}
export interface DeleteHunk extends Written {
  kind: "delete";
  start: number;
  end: number;
}
export interface DeleteBlockHunk extends Written {
  kind: "delete_block";
  line: number;
}
export interface InsertHunk extends WithBody {
  kind: "insert_before" | "insert_after";
  line: number;
}
export interface InsertEdgeHunk extends WithBody {
  kind: "insert_head" | "insert_tail";
}

export type Hunk =
  ReplaceHunk | ReplaceBlockHunk | DeleteHunk | DeleteBlockHunk | InsertHunk | InsertEdgeHunk;

/** What becomes of the file itself, beside its lines. */
export type FileHunk =
  (Written & { kind: "delete_file" }) | (Written & { kind: "move_file"; to: string });

/** A file's part of a patch. */
export interface PatchSection {
  path: string;
  tag: string;
  patchLine: number;
  hunks: Hunk[];
  fileHunks: FileHunk[];
}

export function isFileHunk(hunk: Hunk | FileHunk): hunk is FileHunk {
  return hunk.kind === "delete_file" || hunk.kind === "move_file";
}

/** The hunk's header in canonical spelling. */
export function hunkHeader(hunk: Hunk | FileHunk): string {
  switch (hunk.kind) {
    case "replace":
      return `replace ${hunk.start}..${hunk.end}:`;
    case "replace_block":
      return `replace block ${hunk.line}:`;
    case "delete":
      return `delete ${hunk.start}..${hunk.end}`;
    case "delete_block":
      return `delete block ${hunk.line}`;
    case "insert_before":
      return `insert before ${hunk.line}:`;
    case "insert_after":
      return `insert after ${hunk.line}:`;
    case "insert_head":
      return "insert head:";
    case "insert_tail":
      return "insert tail:";
    case "delete_file":
      return "delete file";
    case "move_file":
      return `move to ${hunk.to}`;
  }
}
