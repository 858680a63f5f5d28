// What is searched for, where, and within which bounds; and what comes back. The tools
// above turn paths and settings into a query and a result into text, nothing more.

import type { EngineChoice } from "./choose-engine.ts";

/** Both ends included, counted from 1; `end` may be Infinity. */
import type { ConfineReader } from "../sandbox/confine-reader.ts";
export interface LineRange {
  start: number;
  end: number;
}

export type SearchTarget =
  /** A tree; `glob` is matched against paths relative to it (`*.ts` is not recursive). */
  | { kind: "directory"; path: string; glob?: string }
  /** One file, whatever ignore rules say. `lines` confines matches, not their context. */
  | { kind: "file"; path: string; lines?: readonly LineRange[] }
  /** Text from elsewhere: an archive member, a virtual resource. */
  | { kind: "text"; name: string; text: string; lines?: readonly LineRange[] };

export interface SearchQuery {
  pattern: string;
  targets: readonly SearchTarget[];
  ignoreCase?: boolean;
  /** On unless false. Named files are searched in either case. */
  gitignore?: boolean;
  /** On unless false. */
  hidden?: boolean;
  contextBefore?: number;
  contextAfter?: number;
  /** Matching files to pass over before the page begins. */
  skip?: number;
  maxFiles?: number;
  maxMatchesPerFile?: number;
  /** Over the whole page, in its order. */
  maxMatches?: number;
  /** Characters of a line that are kept. */
  maxColumns?: number;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** By its whole path: a file that is not accepted counts for nothing, whether it matches or not. */
  accepts?: (path: string) => boolean;
  /** Confines the engine to the targets, if anything does. */
  confineReader?: ConfineReader;
  engine?: EngineChoice;
}

/** Positions are UTF-16 units, so that they index JavaScript strings. */
export interface SearchLine {
  line: number;
  kind: "match" | "context";
  /** Without its line break, at most `maxColumns` characters. */
  text: string;
  /** What `text` leaves out before its beginning; more than 0 only in cut lines. */
  offset: number;
  truncated: boolean;
  /** Of the first match in the whole line, from 1; undefined where no character is matched. */
  column?: number;
  /** Begin and end of each match within `text`; empty ones and those outside are left out. */
  ranges: readonly (readonly [start: number, end: number])[];
  /** Matches of the line after `text`, and the columns of the first of them, from 1. */
  more?: { count: number; columns: readonly number[] };
}

export interface SearchFile {
  kind: "file" | "text";
  /** An absolute path, or the name of a text. */
  name: string;
  /** The path, if it is not text. */
  raw?: Buffer;
  /** Ascending. */
  lines: readonly SearchLine[];
  /** All matches of the file, also those over a limit. */
  matches: number;
  /** Those of them that `lines` has. */
  shown: number;
}

export interface SkippedTarget {
  path: string;
  reason: "missing" | "unreadable" | "binary" | "special" | "directory";
}

export interface SearchResult {
  /** One page: files by path, then texts in the order they were given. */
  files: readonly SearchFile[];
  /** Over all pages. */
  totals: { files: number; matches: number };
  /** Which bounds cut something. */
  limits: {
    /** More files match after this page; the next begins at `nextSkip`. */
    files: boolean;
    matchesPerFile: boolean;
    matches: boolean;
    columns: boolean;
  };
  nextSkip?: number;
  /** Named targets that were not searched. */
  skipped: readonly SkippedTarget[];
  /** Files and directories within the trees that could not be read. */
  unreadable: number;
  /** The groups of the pattern do not close: its parentheses were taken for themselves. */
  hasLiteralGroups: boolean;
  /** Why not everything was looked at. */
  incomplete?: "timeout" | "memory";
  engine: "ripgrep" | "plain";
}

export const DEFAULT_MAX_FILES = 20;
export const DEFAULT_MATCHES_PER_FILE = 20;
export const DEFAULT_MAX_MATCHES = 2000;
export const DEFAULT_MAX_COLUMNS = 512;
/** Long enough for a cold disk and a large tree; a model waits no longer than this. */
export const DEFAULT_SEARCH_TIMEOUT_MS = 30_000;
