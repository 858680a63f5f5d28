// What a search engine must be able to do, so that the search above it is the same for
// ripgrep and for plain JavaScript: count matching lines in trees and files, and read the
// matches of a few chosen sources.

import type { MatchCollector } from "./match-collector.ts";

export interface RunBounds {
  signal: AbortSignal | undefined;
  /** On the clock of `performance.now()`. */
  deadline: number;
  /** The engine's command, confined to what it searches; as it is if absent. */
  confine?: (argv: readonly string[], cwd: string) => Promise<string[]>;
}

export type RunEnd = "complete" | "timeout" | "memory";

export interface ScanReport {
  end: RunEnd;
  unreadable: number;
}

export interface CountSink {
  /** Counting begins, or begins again from nothing because an attempt had to be given up. */
  begin(): void;
  /** `raw` is the path's bytes where they are no UTF-8. Paths are relative to the tree. */
  file(path: string, matches: number, raw?: Buffer): void;
}

export interface TreeScope {
  root: string;
  gitignore: boolean;
  hidden: boolean;
  /** File names that can match at all, as a glob without slashes: a hint to read less. */
  nameGlob?: string;
}

export type MatchSource =
  { kind: "file"; path: string; raw?: Buffer; sizeBytes: number } | { kind: "text"; text: string };

export interface MatchJob {
  source: MatchSource;
  collector: MatchCollector;
}

export interface PatternOptions {
  pattern: string;
  ignoreCase: boolean;
  contextBefore: number;
  contextAfter: number;
}

/** One pattern, ready to run; making one throws `InvalidPatternError` at the latest here. */
export interface PreparedPattern {
  /** Its groups do not close, and so every parenthesis was taken for itself. */
  readonly hasLiteralGroups: boolean;
  countTree(scope: TreeScope, sink: CountSink, bounds: RunBounds): Promise<ScanReport>;
  /** Absolute paths of regular text files, reported as they were given. */
  countFiles(paths: readonly string[], sink: CountSink, bounds: RunBounds): Promise<ScanReport>;
  readMatches(jobs: readonly MatchJob[], bounds: RunBounds): Promise<ScanReport>;
}

export interface LineEngine {
  readonly name: "ripgrep" | "plain";
  prepare(options: PatternOptions, bounds: RunBounds): Promise<PreparedPattern>;
}
