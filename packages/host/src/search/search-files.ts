// Searches files, trees and texts for a regular expression and gives back one page of
// files with their matches. The page is stable: all matching files are counted, only the
// files of the page are read, and their order is that of their names.

import { stat } from "node:fs/promises";
import { systemCode } from "../storage-error.ts";
import { confinedTo } from "./confine-search.ts";
import { chooseEngine } from "./choose-engine.ts";
import { TargetCount, type Hit } from "./count-targets.ts";
import type { MatchJob, PreparedPattern, RunBounds, ScanReport } from "./line-engine.ts";
import { MatchCollector } from "./match-collector.ts";
import { InvalidPatternError } from "./search-error.ts";
import {
  DEFAULT_MATCHES_PER_FILE,
  DEFAULT_MAX_COLUMNS,
  DEFAULT_MAX_FILES,
  DEFAULT_MAX_MATCHES,
  DEFAULT_SEARCH_TIMEOUT_MS,
  type LineRange,
  type SearchFile,
  type SearchQuery,
  type SearchResult,
} from "./search-query.ts";

/** What a command line takes; longer ones are no patterns. */
const MAX_PATTERN_CHARS = 32 * 1024;
/** What was found when the time was up is still read and shown. */
const READ_GRACE_MS = 2000;

export async function searchFiles(query: SearchQuery): Promise<SearchResult> {
  const { signal, timeoutMs = DEFAULT_SEARCH_TIMEOUT_MS } = query;
  signal?.throwIfAborted();
  refuseImpossible(query.pattern);
  const { contextBefore = 0, contextAfter = 0, skip = 0, maxFiles = DEFAULT_MAX_FILES } = query;
  const engine = await chooseEngine(query.engine);
  const confine = query.confineReader && confinedTo(query.targets, query.confineReader);
  const bounds: RunBounds = { signal, deadline: performance.now() + timeoutMs, confine };
  const prepared = await engine.prepare(
    {
      pattern: query.pattern,
      ignoreCase: query.ignoreCase === true,
      contextBefore,
      contextAfter,
    },
    bounds,
  );
  const createCollector = (ranges: readonly LineRange[] | undefined): MatchCollector =>
    new MatchCollector({
      maxMatches: query.maxMatchesPerFile ?? DEFAULT_MATCHES_PER_FILE,
      maxColumns: query.maxColumns ?? DEFAULT_MAX_COLUMNS,
      contextBefore,
      contextAfter,
      ranges,
    });
  const count = new TargetCount({
    query,
    prepared,
    bounds,
    limit: skip + maxFiles,
    createCollector,
  });
  await count.run();
  const page = count.hits.sorted().slice(skip);
  const reading = await readPage(page, prepared, () => createCollector(undefined), {
    signal,
    confine,
    deadline: Math.max(bounds.deadline, performance.now() + READ_GRACE_MS),
  });
  const { files, isCut } = withinTotal(reading.files, query.maxMatches ?? DEFAULT_MAX_MATCHES);
  const more = count.hits.offered > skip + page.length;
  const incomplete = count.end === "complete" ? reading.end : count.end;
  return {
    files,
    totals: { files: count.hits.offered, matches: count.matches },
    limits: {
      files: more,
      matchesPerFile: reading.files.some(({ shown, matches }) => shown < matches),
      matches: isCut,
      columns: files.some(({ lines }) => lines.some(({ truncated }) => truncated)),
    },
    nextSkip: more ? skip + page.length : undefined,
    skipped: count.skipped,
    unreadable: count.unreadable + reading.unreadable,
    incomplete: incomplete === "complete" ? undefined : incomplete,
    hasLiteralGroups: prepared.hasLiteralGroups,
    engine: engine.name,
  };
}

function refuseImpossible(pattern: string): void {
  if (pattern === "") throw new InvalidPatternError("it is empty");
  if (pattern.includes("\0")) throw new InvalidPatternError("a NUL character is never found");
  if (pattern.length > MAX_PATTERN_CHARS) throw new InvalidPatternError("it is too long");
}

async function readPage(
  page: readonly Hit[],
  prepared: PreparedPattern,
  createCollector: () => MatchCollector,
  bounds: RunBounds,
): Promise<ScanReport & { files: SearchFile[] }> {
  const jobs: MatchJob[] = [];
  const collectors = new Map<Hit, MatchCollector>();
  for (const hit of page) {
    const collector = hit.collector ?? createCollector();
    collectors.set(hit, collector);
    if (hit.collector === undefined) {
      const sizeBytes = await sizeOf(hit.raw ?? hit.name);
      jobs.push({ source: { kind: "file", path: hit.name, raw: hit.raw, sizeBytes }, collector });
    }
  }
  const report: ScanReport =
    jobs.length === 0
      ? { end: "complete", unreadable: 0 }
      : await prepared.readMatches(jobs, bounds);
  // A file that changed since it was counted may have nothing to show any more.
  const files = page.flatMap((hit): SearchFile[] => {
    const { lines, shown, matches, binary } = collectors.get(hit)!;
    if (shown === 0 || binary) return [];
    const { kind, name, raw } = hit;
    return [{ kind, name, raw, lines, shown, matches: Math.max(matches, hit.matches) }];
  });
  return { ...report, files };
}

async function sizeOf(path: string | Buffer): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    // Gone meanwhile; the engine will say so.
    if (systemCode(error) === undefined) throw error;
    return 0;
  }
}

/** Cuts the page where its matches reach the total; what is cut begins at a match. */
function withinTotal(
  files: readonly SearchFile[],
  maxMatches: number,
): { files: SearchFile[]; isCut: boolean } {
  const kept: SearchFile[] = [];
  let left = maxMatches;
  for (const file of files) {
    if (left <= 0) return { files: kept, isCut: true };
    if (file.shown > left) return { files: [...kept, firstMatches(file, left)], isCut: true };
    kept.push(file);
    left -= file.shown;
  }
  return { files: kept, isCut: false };
}

function firstMatches(file: SearchFile, count: number): SearchFile {
  let seen = 0;
  const end = file.lines.findIndex(({ kind }) => {
    if (kind === "match") seen += 1;
    return seen > count;
  });
  return end === -1 ? file : { ...file, lines: file.lines.slice(0, end), shown: count };
}
