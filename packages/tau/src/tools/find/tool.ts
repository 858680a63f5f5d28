// The find tool: paths by glob, the newest first.

import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import { isByteName } from "@tau/host/walk/byte-path";
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
import { BYTE_NAMES_NOTE, printableName } from "../../resources/printable-name.ts";
import { nameSome } from "../search/gather-places.ts";
import { HINT_TIMEOUT_MS, ignoredNote } from "../search/ignored-hint.ts";
import type { Workspace } from "../workspace.ts";
import { groupPaths } from "./group-paths.ts";
import prompt from "./prompt.md" with { type: "text" };
import { runFind, shownFound, type FindOutcome } from "./run-find.ts";

/** More names than these are read by nobody; a narrower glob says more. */
const MAX_PATHS = 200;
const DEFAULT_TIMEOUT_S = 5;
const MIN_TIMEOUT_S = 0.5;
const MAX_TIMEOUT_S = 60;
/** Often enough to see it move. */
const PROGRESS_EVERY_MS = 200;
/** The list bounds itself; a little more for its notes. */
const MAX_BYTES = 64 * 1024;

const parameters = strictObject({
  paths: pipe(union([string(), array(string())]), description("Globs, directories, files")),
  hidden: optional(pipe(boolean(), description("False: without dotfiles"))),
  gitignore: optional(pipe(boolean(), description("False: also what .gitignore leaves out"))),
  limit: optional(pipe(number(), description(`Paths; ${MAX_PATHS} at most`))),
  timeout: optional(pipe(number(), description(`Seconds; ${DEFAULT_TIMEOUT_S}`))),
});

export interface FindToolOptions {
  /** Instead of what the model says. */
  timeoutMs?: number;
  progressEveryMs?: number;
}

export function createFindTool(workspace: Workspace, options: FindToolOptions = {}): Tool {
  const { progressEveryMs = PROGRESS_EVERY_MS } = options;
  return defineTool({
    name: "find",
    description: prompt.trim(),
    parameters,
    tier: "read",
    concurrency: "shared",
    limits: { bytes: MAX_BYTES, lines: Number.MAX_SAFE_INTEGER, keep: "head" },
    async execute({ paths, hidden = true, gitignore = true, ...given }, { signal, update }) {
      const limit = wholeLimit(given.limit ?? MAX_PATHS);
      const timeoutMs =
        options.timeoutMs ?? clampTimeout(given.timeout ?? DEFAULT_TIMEOUT_S) * 1000;
      const entries = await listPaths(paths, workspace.files);
      const shownList = (found: readonly { path: string }[]): string[] =>
        found.map(({ path }) => shownFound(workspace, path));
      const outcome = await runFind(workspace, {
        entries,
        hidden,
        gitignore,
        limit,
        timeoutMs,
        signal,
        progressEveryMs,
        onProgress: ({ found }) =>
          update(shownList(found).map(printableName).join("\n"), "replace"),
      });
      const files = shownList(outcome.result.found);
      const { text, shown } = files.length === 1 ? alone(files[0]!) : groupPaths(files);
      const notes = notesOf(outcome, shown, timeoutMs / 1000);
      if (gitignore && outcome.result.matched === 0) {
        const ignored = await runFind(workspace, {
          entries,
          hidden,
          gitignore: false,
          limit: 1,
          timeoutMs: HINT_TIMEOUT_MS,
          signal,
        });
        const { matched, timedOut } = ignored.result;
        if (matched > 0) notes.push(ignoredNote({ files: matched, isAll: !timedOut }, "path"));
      }
      const body = files.length === 0 ? "No paths found" : text;
      return textOutput(
        notes.length === 0 ? body : `${body}\n\n${notes.join("\n")}`,
        detailsOf(entries, outcome, files.slice(0, shown), limit),
      );
    },
  });
}

/** A single path needs no heading. */
function alone(path: string): { text: string; shown: number } {
  return { text: printableName(path), shown: 1 };
}

function wholeLimit(limit: number): number {
  if (!Number.isFinite(limit) || limit <= 0) {
    throw new ToolError(`limit is a number of paths from 1 to ${MAX_PATHS}.`);
  }
  return Math.min(Math.max(1, Math.floor(limit)), MAX_PATHS);
}

function clampTimeout(seconds: number): number {
  if (Number.isNaN(seconds)) return DEFAULT_TIMEOUT_S;
  return Math.min(Math.max(MIN_TIMEOUT_S, seconds), MAX_TIMEOUT_S);
}

function notesOf(
  { result, missing, notes }: FindOutcome,
  shown: number,
  seconds: number,
): string[] {
  const said: string[] = [];
  if (shown < result.matched) {
    said.push(`[the newest ${shown} of ${result.matched} paths; a narrower glob shows others]`);
  }
  if (result.timedOut) {
    said.push(
      `[stopped after ${seconds} s: there may be more and newer ones; narrow the glob or raise timeout]`,
    );
  }
  if (missing.length > 0) said.push(`[left out, since they do not exist: ${nameSome(missing)}]`);
  if (result.found.some(({ path }) => isByteName(path))) said.push(BYTE_NAMES_NOTE);
  said.push(...notes);
  if (result.unreadable > 0) said.push(`[${result.unreadable} directories could not be read]`);
  return said;
}

function detailsOf(
  entries: readonly string[],
  { result, missing }: FindOutcome,
  files: readonly string[],
  limit: number,
): Record<string, unknown> {
  const isCut = result.timedOut || files.length < result.matched;
  return {
    scopePath: entries.join(", "),
    fileCount: files.length,
    files,
    matched: result.matched,
    truncated: isCut,
    resultLimitReached: result.limitReached ? limit : undefined,
    timedOut: result.timedOut ? true : undefined,
    missingPaths: missing.length > 0 ? missing : undefined,
  };
}
