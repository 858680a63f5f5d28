// The ast_grep tool: finds code by its structure, where a regular expression would trip over
// line breaks, comments and strings.

import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import { detectLanguage } from "@tau/host/syntax/detect-language";
import {
  array,
  description,
  integer,
  minLength,
  minValue,
  number,
  optional,
  pipe,
  record,
  strictObject,
  string,
  union,
  unknown,
} from "valibot";
import { leftOutNote, noteSeen, readableFiles } from "../seen-files.ts";
import type { Workspace } from "../workspace.ts";
import { collectMatches, type MatchPage } from "./collect-matches.ts";
import { count } from "./count.ts";
import { findSources, type Sources } from "./find-sources.ts";
import prompt from "./prompt.md" with { type: "text" };
import { showMatches } from "./show-matches.ts";
import { readLanguage, readQuery } from "./structural-query.ts";
import { describeIssues } from "./syntax-issues.ts";

/** A page ends at a file before this is reached. */
const MAX_BYTES = 50 * 1024;
/** Kept for what is said below the matches. */
const NOTES_BYTES = 2 * 1024;
/** Files that are not well formed and are named. */
const NAMED_FLAWS = 5;

const parameters = strictObject({
  pat: optional(pipe(string(), description("Code with holes: console.log($MSG)"))),
  rule: optional(pipe(record(string(), unknown()), description("An ast-grep rule instead"))),
  paths: pipe(
    union([pipe(array(string()), minLength(1)), string()]),
    description("Files, directories or globs"),
  ),
  lang: optional(
    pipe(string(), description("Only this language; read files of other names as it")),
  ),
  skip: optional(
    pipe(number(), integer(), minValue(0), description("Matching files to pass over")),
  ),
});

export function createAstGrepTool(workspace: Workspace): Tool {
  return defineTool({
    name: "ast_grep",
    description: prompt.trim(),
    parameters,
    tier: "read",
    concurrency: "shared",
    limits: { bytes: MAX_BYTES, lines: Number.MAX_SAFE_INTEGER, keep: "head" },
    async execute({ pat, rule, paths, lang, skip: wanted = 0 }, { signal }) {
      const query = readQuery({ pat, rule });
      const language = readLanguage(lang);
      const sources = withoutRefused(
        workspace,
        await findSources(workspace, { paths, language, signal }),
      );
      const skip = sources.isSingle ? 0 : wanted;
      const page = await collectMatches(await workspace.syntax(), {
        query,
        paths: sources.paths,
        language,
        skip,
        isSingle: sources.isSingle,
        signal,
      });
      signal.throwIfAborted();
      await noteSeen(
        workspace,
        page.files.map(({ path }) => path),
      );
      const fits = fitsSomewhere(page, sources, language);
      const issues = issueRows(workspace, page, fits);
      if (!fits) throw new ToolError(issues.join("\n"));
      return show(workspace, sources, page, { skip, issues });
    },
  });
}

function withoutRefused(workspace: Workspace, sources: Sources): Sources {
  const paths = readableFiles(workspace, sources.paths);
  const count = sources.paths.length - paths.length;
  if (count === 0) return sources;
  return { ...sources, paths, notes: [...sources.notes, leftOutNote(count)] };
}

async function show(
  workspace: Workspace,
  sources: Sources,
  page: MatchPage,
  { skip, issues }: { skip: number; issues: readonly string[] },
) {
  const { totals, end } = page;
  const sections: string[] = [];
  let bytes = 0;
  for (const file of page.files) {
    const section = await sectionOf(workspace, file, sources);
    bytes += Buffer.byteLength(section) + 2;
    if (bytes > MAX_BYTES && sections.length > 0) break;
    sections.push(section);
  }
  const next = skip + sections.length;
  const more = next < totals.files;
  const text = [
    ...(sections.length > 0 ? sections : [noneText(totals.files, skip)]),
    [
      ...(sections.length > 0 && !sources.isSingle ? [countText(page, skip, sections.length)] : []),
      ...(more && sections.length > 0
        ? [`More files match. Use skip=${next} for the next page.`]
        : []),
      ...stopRows(page, sources),
      ...sources.notes,
      ...(sources.missing.length > 0 ? [`Not found: ${sources.missing.join(", ")}`] : []),
      ...issues,
    ].join("\n"),
  ];
  return textOutput(text.filter((part) => part !== "").join("\n\n"), {
    matchCount: totals.matches,
    fileCount: totals.files,
    filesSearched: end.files,
    files: page.files
      .slice(0, sections.length)
      .map(({ path, matchCount }) => ({ path, matches: matchCount })),
    nextSkip: more ? next : undefined,
    stopped: end.stopped,
    missingPaths: sources.missing.length > 0 ? sources.missing : undefined,
  });
}

/** As many matches of a file as fit, and of the others how many there are and how to see them. */
async function sectionOf(
  workspace: Workspace,
  { matchCount, ...file }: MatchPage["files"][number],
  { isSingle }: Sources,
): Promise<string> {
  let { matches } = file;
  for (;;) {
    const rows = await showMatches(workspace, { ...file, matches });
    const next = file.matches[matches.length]?.start.line ?? matches.at(-1)!.start.line + 1;
    if (matches.length < matchCount) {
      const shown = workspace.files.shown(file.path);
      const how = isSingle
        ? `narrow the pattern, or read ${shown}:${next}- for the others`
        : `search ${shown} alone for the others`;
      const counted = matchCount.toLocaleString("en-US");
      rows.push(`[${matches.length} of ${counted} matches; ${how}]`);
    }
    const section = rows.join("\n");
    if (matches.length <= 1 || Buffer.byteLength(section) <= MAX_BYTES - NOTES_BYTES) {
      return section;
    }
    matches = matches.slice(0, Math.ceil(matches.length / 2));
  }
}

/** Where nothing could be searched for this at all, "no matches" would be a wrong answer. */
function fitsSomewhere(
  { end, totals }: MatchPage,
  { paths }: Sources,
  language: string | undefined,
): boolean {
  if (totals.files > 0 || end.problems.length === 0) return true;
  const unfit = new Set(end.problems.map((problem) => problem.language));
  const tried = new Set(paths.map((path) => language ?? detectLanguage(path)?.name));
  tried.delete(undefined);
  return [...tried].some((name) => !unfit.has(name!));
}

function noneText(files: number, skip: number): string {
  if (skip === 0 || files === 0) return "No matches found";
  return `No matches found after skip=${skip}: ${count(files, "file")} match in all.`;
}

function countText({ totals, end }: MatchPage, skip: number, shown: number): string {
  const all = `${count(totals.matches, "match", "matches")} in ${count(totals.files, "file")}`;
  const isAll = skip === 0 && shown === totals.files;
  const part = isAll ? "" : `, files ${skip + 1} to ${skip + shown} shown`;
  return `${all}${part} (${count(end.files, "file")} searched).`;
}

function stopRows({ end, totals }: MatchPage, { isCut }: Sources): string[] {
  if (end.stopped === "matches") {
    const counted = totals.matches.toLocaleString("en-US");
    return [`Stopped at ${counted} matches, there may be more: narrow the pattern or paths.`];
  }
  if (end.stopped === "files" || isCut) {
    const searched = end.files.toLocaleString("en-US");
    return [`Stopped after ${searched} files, there are more: narrow paths.`];
  }
  if (end.stopped === "deadline") return ["Time is up; not all files were searched: narrow paths."];
  return [];
}

function issueRows(
  workspace: Workspace,
  { end, failures, flawed }: MatchPage,
  fits: boolean,
): string[] {
  const shown = (path: string): string => workspace.files.shown(path);
  const rows = describeIssues(
    { problems: end.problems, files: failures, fitsElsewhere: () => fits },
    shown,
  );
  for (const { path, line, what } of flawed.slice(0, NAMED_FLAWS)) {
    rows.push(
      `${shown(path)} is not well formed (${what} on line ${line}): matches may be missing.`,
    );
  }
  const rest = flawed.length - NAMED_FLAWS;
  if (rest > 0)
    rows.push(`${count(rest, "more file")} ${rest === 1 ? "is" : "are"} not well formed.`);
  return rows;
}
