// Structural search over many files: results as they come, and at the end what was searched
// and what kept it from more. A pattern that is no code of one of the languages is told once.

import { FileRun, type FileFailure, type FileRunOptions, type StopReason } from "./file-run.ts";
import type { StructuralQuery } from "./structural-pattern.ts";
import { MAX_MATCHES_PER_SOURCE, type SearchResult } from "./structural-search.ts";
import type { SyntaxFailure } from "./syntax-failure.ts";
import { flatten, type Syntax } from "./syntax.ts";

export interface SearchFilesOptions extends FileRunOptions {
  /** Over all files. */
  maxMatches?: number;
}

export interface FileMatches extends SearchResult {
  path: string;
  language: string;
  /** What was searched, exactly: the places of the matches are places in it. */
  text: string;
}

export interface SearchEnd {
  files: number;
  matches: number;
  /** Languages among the files that the query does not fit, or that have no parser here. */
  problems: { language: string; failure: SyntaxFailure }[];
  /** What ended the search before its last file. */
  stopped?: StopReason;
}

/** About the query in that language, and so the same for each of its files. */
export const OF_THE_LANGUAGE: ReadonlySet<string> = new Set([
  "bad_pattern",
  "bad_rule",
  "bad_template",
  "language_unavailable",
  "engine_unavailable",
  "unknown_language",
]);

/** Yields files with matches, with flaws, or that could not be searched. */
export async function* searchFiles(
  syntax: Syntax,
  paths: Iterable<string> | AsyncIterable<string>,
  query: StructuralQuery,
  options: SearchFilesOptions = {},
): AsyncGenerator<FileMatches | FileFailure, SearchEnd> {
  const run = new FileRun(options);
  const most = options.maxMatches ?? MAX_MATCHES_PER_SOURCE;
  const unfit = new Map<string, SyntaxFailure>();
  let matches = 0;
  for await (const file of run.open(paths)) {
    if ("failure" in file) {
      yield file;
      continue;
    }
    const { path, language, text } = file;
    if (unfit.has(language)) continue;
    const ask = { text, language, query, maxMatches: most - matches };
    const found = flatten(await syntax.ask("search", ask, run.signal));
    if (run.over) break;
    if (!found.ok) {
      if (OF_THE_LANGUAGE.has(found.failure.code)) unfit.set(language, found.failure);
      else yield { path, failure: found.failure };
      continue;
    }
    matches += found.value.matches.length;
    if (found.value.matches.length > 0 || found.value.flaw)
      yield { path, language, text, ...found.value };
    if (matches >= most) {
      run.stopped = "matches";
      break;
    }
  }
  return {
    files: run.files,
    matches,
    problems: [...unfit].map(([language, failure]) => ({ language, failure })),
    ...(run.stopped && { stopped: run.stopped }),
  };
}
