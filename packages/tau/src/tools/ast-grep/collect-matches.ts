// One page of a structural search: all matching files are counted, those of the page are kept
// with their texts. The order is that of the paths, so pages follow on one another.

import type { FileFailure } from "@tau/host/syntax/file-run";
import { searchFiles, type SearchEnd } from "@tau/host/syntax/search-files";
import type { StructuralQuery } from "@tau/host/syntax/structural-pattern";
import type { Syntax } from "@tau/host/syntax/syntax";
import type { FileToShow } from "./show-matches.ts";

/** As text search has it. */
export const FILES_PER_PAGE = 20;
const MATCHES_PER_FILE = 20;
/** Where one file was named, it is what the model wants to see. */
const MATCHES_OF_SINGLE_FILE = 200;
/** Over all files; who gets more looks for something too common. */
const MAX_MATCHES = 2000;
/** About 2 ms each. */
const MAX_FILES = 5000;
/** A model waits no longer. */
const DEADLINE_MS = 30_000;
/** Files that could not be searched are counted and the first ones told. */
const KEPT_FAILURES = 100;

export interface MatchPage {
  files: (FileToShow & { matchCount: number })[];
  /** Over all pages. */
  totals: { files: number; matches: number };
  failures: FileFailure[];
  /** Files that are not well formed; what is near the flaw may be missing. */
  flawed: { path: string; line: number; what: string }[];
  end: SearchEnd;
}

export interface PageWish {
  query: StructuralQuery;
  paths: readonly string[];
  language: string | undefined;
  skip: number;
  isSingle: boolean;
  signal: AbortSignal;
}

export async function collectMatches(syntax: Syntax, wish: PageWish): Promise<MatchPage> {
  const { query, paths, language, skip, isSingle, signal } = wish;
  const most = isSingle ? MATCHES_OF_SINGLE_FILE : MATCHES_PER_FILE;
  const page: Omit<MatchPage, "end"> = {
    files: [],
    totals: { files: 0, matches: 0 },
    failures: [],
    flawed: [],
  };
  const run = searchFiles(syntax, paths, query, {
    language,
    maxFiles: MAX_FILES,
    maxMatches: MAX_MATCHES,
    deadlineMs: DEADLINE_MS,
    signal,
  });
  for (;;) {
    const next = await run.next();
    if (next.done) return { ...page, end: next.value };
    const found = next.value;
    if ("failure" in found) {
      if (page.failures.length < KEPT_FAILURES) page.failures.push(found);
      continue;
    }
    const { path, text, matches, total, flaw } = found;
    if (flaw && page.flawed.length < KEPT_FAILURES) {
      page.flawed.push({ path, line: flaw.line, what: flaw.what });
    }
    if (matches.length === 0) continue;
    const at = page.totals.files++;
    page.totals.matches += total;
    if (at < skip || at >= skip + FILES_PER_PAGE) continue;
    page.files.push({ path, text, matches: matches.slice(0, most), matchCount: total });
  }
}
