// The search tool: a regular expression over everything that has a path and text in it.

import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import { DEFAULT_SEARCH_TIMEOUT_MS } from "@tau/host/search/search-query";
import {
  array,
  boolean,
  description,
  number,
  optional,
  pipe,
  strictObject,
  string,
  union,
} from "valibot";
import { listPaths } from "../../resources/path-list.ts";
import { assessReads } from "../assess-reads.ts";
import { NOT_SEARCHED, noteSeen, readableFiles } from "../seen-files.ts";
import type { Workspace } from "../workspace.ts";
import { nameSome } from "./gather-places.ts";
import prompt from "./prompt.md" with { type: "text" };
import { runSearch, type FoundFile, type SearchOutcome } from "./run-search.ts";
import { MAX_PAGE_TEXT_BYTES, showPage, type ShownPage } from "./show-page.ts";

const FILES_PER_PAGE = 20;
const MATCHES_PER_FILE = 20;
/** A file that is searched alone is looked at more closely. */
const MATCHES_OF_ONE_FILE = 200;
/** Characters of a line; longer ones are data. */
const MAX_COLUMNS = 512;
/** The page bounds itself; a little more for its notes. */
const MAX_BYTES = MAX_PAGE_TEXT_BYTES + 16 * 1024;

const parameters = strictObject({
  pattern: pipe(string(), description("Regular expression (ripgrep syntax)")),
  paths: pipe(
    union([string(), array(string())]),
    description("Files, directories, globs, archive members, addresses"),
  ),
  i: optional(pipe(boolean(), description("Ignore case"))),
  gitignore: optional(pipe(boolean(), description("False: also what .gitignore leaves out"))),
  skip: optional(pipe(number(), description("Matching files to pass over, for the next page"))),
});

export interface SearchToolOptions {
  /** Instead of the engine's own patience. */
  timeoutMs?: number;
}

export function createSearchTool(
  workspace: Workspace,
  { timeoutMs = DEFAULT_SEARCH_TIMEOUT_MS }: SearchToolOptions = {},
): Tool {
  return defineTool({
    name: "search",
    description: prompt.trim(),
    parameters,
    tier: "read",
    concurrency: "shared",
    assess: (params) => {
      const { paths } = params as { paths: string | string[] };
      return assessReads(workspace, { params, paths: [paths].flat(), isDeep: true });
    },
    limits: { bytes: MAX_BYTES, lines: Number.MAX_SAFE_INTEGER, keep: "head" },
    async execute({ pattern, paths, i = false, gitignore = true, skip: given = 0 }, { signal }) {
      const wanted = trimPattern(pattern);
      const skip = wholeSkip(given);
      const entries = await listPaths(paths, workspace.files);
      const { searchBefore, searchAfter } = workspace.files.settings;
      const outcome = await runSearch(workspace, {
        pattern: wanted,
        entries,
        signal,
        query: (scope) => ({
          ignoreCase: i,
          gitignore,
          contextBefore: searchBefore,
          contextAfter: searchAfter,
          skip: scope === "single" ? 0 : skip,
          maxFiles: FILES_PER_PAGE,
          maxMatchesPerFile: scope === "single" ? MATCHES_OF_ONE_FILE : MATCHES_PER_FILE,
          maxColumns: MAX_COLUMNS,
          timeoutMs,
          // Before they are counted: what is said of the others must not tell what is in these.
          accepts: workspace.consent.refusesReads
            ? (path) => readableFiles(workspace, [path]).length > 0
            : undefined,
        }),
      });
      const files = await seenFiles(workspace, outcome);
      const page = await showPage(workspace, files, outcome);
      const used = outcome.scope === "single" ? 0 : skip;
      const notes = notesOf(outcome, page, { skip: used, timeoutMs });
      if (workspace.consent.refusesReads) notes.push(NOT_SEARCHED);
      const body = page.files.length === 0 ? "No matches found" : page.text;
      return textOutput(
        notes.length === 0 ? body : `${body}\n\n${notes.join("\n")}`,
        detailsOf(entries, outcome, page, used),
      );
    },
  });
}

/** Without those that are not for the model; secrets that it sees are remembered. */
async function seenFiles(workspace: Workspace, { files }: SearchOutcome): Promise<FoundFile[]> {
  const paths = files.map(({ kind, name, source }) =>
    kind === "file" ? name : workspace.files.resolve(source.shown),
  );
  const readable = new Set(readableFiles(workspace, paths));
  const seen = files.filter((_, at) => readable.has(paths[at]!));
  await noteSeen(workspace, [...readable]);
  return seen;
}

/** Spaces around it are slips, except one that a backslash makes part of it. */
function trimPattern(pattern: string): string {
  const trimmed = pattern.trimStart().replace(/(?<!\\)\s+$/, "");
  if (trimmed !== "") return trimmed;
  throw new ToolError("The pattern is empty: say what to look for; find lists files.");
}

function wholeSkip(skip: number): number {
  if (Number.isFinite(skip) && skip >= 0) return Math.floor(skip);
  throw new ToolError("skip is a number of files from 0 on, as the last page named it.");
}

/** Where the next page begins; undefined on the last one. */
function nextSkip({ result }: SearchOutcome, page: ShownPage, skip: number): number | undefined {
  const isShort = page.files.length < result.files.length;
  return isShort ? skip + page.files.length : result.nextSkip;
}

function notesOf(
  outcome: SearchOutcome,
  page: ShownPage,
  { skip, timeoutMs }: { skip: number; timeoutMs: number },
): string[] {
  const { result, missing, notes } = outcome;
  const { totals, limits, incomplete } = result;
  const next = nextSkip(outcome, page, skip);
  const said: string[] = [];
  if (next !== undefined) {
    said.push(`[files ${skip + 1}-${next} of ${totals.files} that match; go on with skip=${next}]`);
  } else if (page.files.length === 0 && totals.files > 0) {
    const match = totals.files === 1 ? "1 file matches" : `${totals.files} files match`;
    said.push(`[${match}; skip=${skip} is past the end]`);
  }
  if (limits.columns) said.push(`[long lines are cut to ${MAX_COLUMNS} characters]`);
  if (missing.length > 0) said.push(`[left out, since they do not exist: ${nameSome(missing)}]`);
  said.push(...notes);
  if (result.unreadable > 0) {
    said.push(`[${result.unreadable} files or directories could not be read]`);
  }
  if (incomplete === "timeout") {
    said.push(
      `[stopped after ${timeoutMs / 1000} s: there may be more; name fewer or smaller paths]`,
    );
  } else if (incomplete === "memory") {
    said.push("[stopped, since it took too much memory: there may be more; simplify the pattern]");
  }
  return said;
}

function detailsOf(
  entries: readonly string[],
  outcome: SearchOutcome,
  page: ShownPage,
  skip: number,
): Record<string, unknown> {
  const { result, missing } = outcome;
  const next = nextSkip(outcome, page, skip);
  return {
    scopePath: entries.join(", "),
    matchCount: page.files.reduce((sum, { matches }) => sum + matches, 0),
    fileCount: page.files.length,
    files: page.files.map(({ path }) => path),
    fileMatches: page.files.map(({ path, matches }) => ({ path, count: matches })),
    totals: result.totals,
    fileLimitReached: next === undefined ? undefined : true,
    nextSkip: next,
    perFileLimitReached: result.limits.matchesPerFile ? true : undefined,
    linesTruncated: result.limits.columns ? true : undefined,
    truncated: page.isCut ? true : undefined,
    missingPaths: missing.length > 0 ? missing : undefined,
    incomplete: result.incomplete,
  };
}
