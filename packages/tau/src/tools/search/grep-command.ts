// tau grep: the model's search, for people and scripts. It ends as grep does: 0 where something
// was found, 1 where nothing was, 2 where that could not be said.

import type { SearchResult } from "@tau/host/search/search-query";
import { COMMAND } from "../../brand.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { isTerminal } from "../../base/is-terminal.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { styleFor } from "../../base/style.ts";
import { runSearch, type SearchOutcome } from "./run-search.ts";
import { UsageError, usageLine } from "../../user-error.ts";
import { matchesInJson, pipePrinter, terminalPrinter } from "./print-matches.ts";
import { viewFiles } from "../view-files.ts";
import { GREP } from "./command-line.ts";

/** A person narrows the search long before; a script is told that it did not get all. */
const MAX_FILES = 10_000;
const MAX_MATCHES = 100_000;
/** Characters of a line. Minified files have lines of megabytes. */
const MAX_COLUMNS = 4096;
const MAX_CONTEXT = 1000;
/** Longer than the model's: whoever waits can press Ctrl-C. */
const TIMEOUT_MS = 10 * 60 * 1000;

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  const [pattern, ...paths] = positionals;
  if (pattern === undefined || pattern === "") throw wrong("say what to look for");
  const around = contextLines(flags.context, "context");
  const before = contextLines(flags["before-context"], "before-context") ?? around ?? 0;
  const after = contextLines(flags["after-context"], "after-context") ?? around ?? 0;
  if (paths.some((path) => /^\/+$/.test(path))) {
    throw wrong("/ is the whole disk; name a directory below it");
  }
  return viewFiles({ refusal: EXIT.usage }, async (workspace, signal) => {
    const outcome = await runSearch(workspace, {
      pattern,
      entries: paths.length === 0 ? ["."] : paths,
      signal,
      query: () => ({
        ignoreCase: flags["ignore-case"] === true,
        gitignore: flags["no-ignore"] !== true,
        contextBefore: before,
        contextAfter: after,
        maxFiles: MAX_FILES,
        maxMatchesPerFile: MAX_MATCHES,
        maxMatches: MAX_MATCHES,
        maxColumns: MAX_COLUMNS,
        timeoutMs: TIMEOUT_MS,
      }),
    });
    if (flags.json) await printJson(outcome);
    else await print(outcome, { hasContext: before + after > 0 });
    const problems = problemsOf(outcome);
    for (const problem of problems) writeError(`${COMMAND}: ${problem}\n`);
    if (outcome.files.length > 0) return EXIT.done;
    return problems.length > 0 ? EXIT.usage : EXIT.failed;
  });
}

async function print({ files }: SearchOutcome, options: { hasContext: boolean }): Promise<void> {
  const isTTY = isTerminal(1);
  const printer = isTTY
    ? terminalPrinter(styleFor({ isTTY }, process.env), options)
    : pipePrinter(options);
  for (const [at, file] of files.entries()) {
    // A reader who has seen enough is a good end.
    if (!(await writeOutput(printer.print(file, at === 0 ? "first" : "later")))) return;
  }
}

async function printJson({ result, files, missing }: SearchOutcome): Promise<void> {
  const { totals, limits, incomplete } = result;
  const view = {
    files: files.map(matchesInJson),
    totals,
    complete: incomplete === undefined && !Object.values(limits).some(Boolean),
    missing,
  };
  await writeOutput(`${JSON.stringify(view, null, 2)}\n`);
}

/** What was not looked at or not shown, a line each. */
function problemsOf({ result, missing, notes }: SearchOutcome): string[] {
  const { limits, unreadable } = result;
  const problems = missing.map((path) => `${path} does not exist`);
  problems.push(...notes.map((note) => note.replace(/^\[(.*)\]$/s, "$1")));
  if (unreadable > 0) problems.push(`${unreadable} files or directories could not be read`);
  const ended = result.incomplete && ENDED[result.incomplete];
  if (ended) problems.push(`${ended}: there may be more; narrow the search`);
  if (limits.files || limits.matches || limits.matchesPerFile) {
    problems.push(`only the first ${MAX_FILES} files and ${MAX_MATCHES} matches are shown`);
  }
  if (limits.columns) problems.push(`lines are cut to ${MAX_COLUMNS} characters`);
  return problems;
}

const ENDED: Readonly<Record<NonNullable<SearchResult["incomplete"]>, string>> = {
  timeout: `stopped after ${TIMEOUT_MS / 60_000} minutes`,
  memory: "stopped, since it took too much memory",
};

function contextLines(value: string | true | undefined, flag: string): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && /^\d+$/.test(value) && Number(value) <= MAX_CONTEXT) {
    return Number(value);
  }
  throw wrong(`--${flag} takes a whole number up to ${MAX_CONTEXT}, not "${value}"`);
}

function wrong(message: string): UsageError {
  return new UsageError(message, usageLine(GREP));
}
