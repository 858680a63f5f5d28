// The search tool: a regular expression over everything that has a path and text in it.

import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import { DEFAULT_SEARCH_TIMEOUT_MS } from "@tau/host/search/search-query";
import {
  array,
  boolean,
  description,
  number,
  optional,
  picklist,
  pipe,
  strictObject,
  string,
  union,
} from "valibot";
import { BYTE_NAMES_NOTE } from "../../resources/printable-name.ts";
import { listPaths } from "../../resources/path-list.ts";
import { assessReads } from "../assess-reads.ts";
import { NOT_SEARCHED, noteSeen, readableFiles } from "../seen-files.ts";
import type { Workspace } from "../workspace.ts";
import { nameSome } from "./gather-places.ts";
import { countIgnored, ignoredNote } from "./ignored-hint.ts";
import prompt from "./prompt.md" with { type: "text" };
import {
  runSearch,
  type FoundFile,
  type SearchOutcome,
  type SearchRequest,
  type SearchScope,
} from "./run-search.ts";
import { showCounts, type CountForm } from "./show-counts.ts";
import { MAX_PAGE_TEXT_BYTES, showPage, type ShownPage } from "./show-page.ts";

const FILES_PER_PAGE = 20;
/** A file that is searched alone is looked at more closely. */
const MATCHES_IN: Readonly<Record<SearchScope, number>> = { single: 200, many: 20 };
/** Files of which only the number of matches is told. */
const COUNTED_FILES = 1000;
/** Characters of a line; longer ones are data. */
const MAX_COLUMNS = 512;
/** The page bounds itself; a little more for its notes. */
const MAX_BYTES = MAX_PAGE_TEXT_BYTES + 16 * 1024;

/** A guess that is right for `call(`, and must not pass for what was asked. */
const LITERAL_GROUPS =
  "[the pattern's groups do not close, so its parentheses were taken literally; for groups, balance them]";

const parameters = strictObject({
  pattern: pipe(string(), description("Regular expression (ripgrep syntax)")),
  paths: pipe(
    union([string(), array(string())]),
    description("Files, directories, globs, archive members, addresses"),
  ),
  i: optional(pipe(boolean(), description("Ignore case"))),
  gitignore: optional(pipe(boolean(), description("False: also what .gitignore leaves out"))),
  skip: optional(pipe(number(), description("Matching files to pass over, for the next page"))),
  show: optional(
    pipe(
      picklist(["lines", "files", "counts"]),
      description("The matching lines; or only which files match, or how many lines of each do"),
    ),
  ),
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
    async execute(params, { signal }) {
      const { pattern, paths, i = false, gitignore = true, show = "lines" } = params;
      const wanted = trimPattern(pattern);
      const skip = wholeSkip(params.skip ?? 0);
      const entries = await listPaths(paths, workspace.files);
      const { searchBefore, searchAfter } = workspace.files.settings;
      const request = (isCount: boolean): SearchRequest => ({
        pattern: wanted,
        entries,
        signal,
        query: (scope) => ({
          ignoreCase: i,
          gitignore,
          contextBefore: isCount ? 0 : searchBefore,
          contextAfter: isCount ? 0 : searchAfter,
          skip: scope === "single" ? 0 : skip,
          maxFiles: isCount ? COUNTED_FILES : FILES_PER_PAGE,
          maxMatchesPerFile: isCount ? 1 : MATCHES_IN[scope],
          maxColumns: MAX_COLUMNS,
          timeoutMs,
          // Before they are counted: what is said of the others must not tell what is in these.
          accepts: workspace.consent.refusesReads
            ? (path) => readableFiles(workspace, [path]).length > 0
            : undefined,
        }),
      });
      const search = (isCount: boolean): Promise<SearchOutcome> =>
        runSearch(workspace, request(isCount));
      const found = await search(show !== "lines");
      const shown =
        show === "lines"
          ? await showLines(workspace, found, { skip, recount: () => search(true) })
          : await showFiles(workspace, found, show);
      const { outcome, page } = shown;
      const used = outcome.scope === "single" ? 0 : skip;
      const notes = [...notesOf(outcome, page, { skip: used, timeoutMs }), ...shown.notes];
      if (outcome.files.some(({ raw }) => raw)) notes.push(BYTE_NAMES_NOTE);
      if (gitignore && outcome.scope === "many" && outcome.result.totals.files === 0) {
        const ignored = await countIgnored(workspace, request(true));
        if (ignored) notes.push(ignoredNote(ignored, "file"));
      }
      if (workspace.consent.refusesReads) notes.push(NOT_SEARCHED);
      const body = page.files.length === 0 ? "No matches found" : page.text;
      return textOutput(
        notes.length === 0 ? body : `${body}\n\n${notes.join("\n")}`,
        detailsOf(entries, outcome, page, used),
      );
    },
  });
}

interface ShownSearch {
  outcome: SearchOutcome;
  page: ShownPage;
  notes: string[];
}

/** With their context; if that is too much, without; if that is too much, how many in which file. */
async function showLines(
  workspace: Workspace,
  outcome: SearchOutcome,
  { skip, recount }: { skip: number; recount: () => Promise<SearchOutcome> },
): Promise<ShownSearch> {
  const files = await seenFiles(workspace, outcome);
  const { scope, ranges } = outcome;
  const whole = await showPage(workspace, files, { hasContext: true, scope, ranges });
  if (!whole.isCut) return { outcome, page: whole, notes: [] };
  const page = await showPage(workspace, files, { hasContext: false, scope, ranges });
  const left = ["[the lines around the matches are left out]"];
  // Whoever goes through the pages wants to see them.
  if (!page.isCut || scope === "single" || skip > 0) return { outcome, page, notes: left };
  const counted = await showFiles(workspace, await recount(), "firsts");
  const { files: all, matches } = counted.outcome.result.totals;
  const fold = `[${matches} matches in ${all} files are too many to show: how many are in which file, and the first of each. Narrow the pattern or the paths.]`;
  return { ...counted, notes: [...counted.notes, fold] };
}

async function showFiles(
  workspace: Workspace,
  outcome: SearchOutcome,
  form: CountForm,
): Promise<ShownSearch> {
  const files = await seenFiles(workspace, outcome);
  return { outcome, page: showCounts(files, form, MAX_PAGE_TEXT_BYTES), notes: [] };
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
  if (result.hasLiteralGroups) said.push(LITERAL_GROUPS);
  if (limits.columns && page.hasLines) {
    said.push(`[long lines are cut to ${MAX_COLUMNS} characters; more of one: PATH:LINE:FROM-TO]`);
  }
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
