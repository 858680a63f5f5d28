// tau find: the model's find, for people and scripts: one path a line, the newest first. It
// ends with 0 where something was found, 1 where nothing was, 2 where that could not be said.

import { readWrittenPath } from "@tau/host/walk/byte-name";
import { pathBytes } from "@tau/host/walk/byte-path";
import type { FoundPath } from "@tau/host/walk/find-paths";
import { COMMAND } from "../../brand.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { isTerminal } from "../../base/is-terminal.ts";
import { writeBytes, writeError, writeOutput } from "../../base/output.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { styleFor } from "../../base/style.ts";
import { runFind, shownFound, type FindOutcome } from "./run-find.ts";
import type { Workspace } from "../workspace.ts";
import { UsageError, usageLine } from "../../user-error.ts";
import { viewFiles, visibleOnTerminal } from "../view-files.ts";
import { FIND } from "./command-line.ts";

const DEFAULT_LIMIT = 10_000;
const MAX_LIMIT = 1_000_000;
/** Longer than the model's: whoever waits can press Ctrl-C. */
const TIMEOUT_MS = 10 * 60 * 1000;
/** So that a reader who goes away is noticed before everything is printed. */
const ROWS_AT_ONCE = 1000;

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  if (flags.hidden && flags["no-hidden"])
    throw wrong("--hidden and --no-hidden exclude each other");
  const limit = limitOf(flags.limit);
  return viewFiles({ refusal: EXIT.usage }, async (workspace, signal) => {
    const outcome = await runFind(workspace, {
      entries: positionals.length === 0 ? ["."] : positionals,
      hidden: flags["no-hidden"] !== true,
      gitignore: flags["no-ignore"] !== true,
      limit,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    if (flags.json) await printJson(workspace, outcome);
    else await print(workspace, outcome, flags.null === true ? "\0" : "\n");
    // Who names a limit knows of it.
    const problems = problemsOf(outcome, flags.limit === undefined);
    for (const problem of problems) writeError(`${COMMAND}: ${problem}\n`);
    if (outcome.result.found.length > 0) return EXIT.done;
    return problems.length > 0 ? EXIT.usage : EXIT.failed;
  });
}

async function print(workspace: Workspace, { result }: FindOutcome, end: string): Promise<void> {
  const isTTY = isTerminal(1);
  const style = styleFor({ isTTY }, process.env);
  for (let at = 0; at < result.found.length; at += ROWS_AT_ONCE) {
    const some = result.found.slice(at, at + ROWS_AT_ONCE);
    if (!isTTY) {
      const rows = some.flatMap((found) => [bytesOf(workspace, found), Buffer.from(end)]);
      if (!(await writeBytes(Buffer.concat(rows)))) return;
      continue;
    }
    const rows = some.map(({ path }) => {
      const shown = shownFound(workspace, path);
      const safe = visibleOnTerminal(shown);
      const name = safe.lastIndexOf("/", safe.length - 2) + 1;
      return `${name > 0 ? style.dim(safe.slice(0, name)) : ""}${safe.slice(name)}${end}`;
    });
    if (!(await writeOutput(rows.join("")))) return;
  }
}

/** For other programs, who can open what a string cannot say. */
function bytesOf(workspace: Workspace, { path }: FoundPath): Buffer {
  return pathBytes(readWrittenPath(shownFound(workspace, path)));
}

async function printJson(workspace: Workspace, { result, missing }: FindOutcome): Promise<void> {
  const { found, matched, timedOut, limitReached } = result;
  const view = {
    paths: found.map(({ path, modifiedMs }) => ({
      path: shownFound(workspace, path),
      modified: new Date(modifiedMs).toISOString(),
    })),
    matched,
    complete: !timedOut && !limitReached,
    missing,
  };
  await writeOutput(`${JSON.stringify(view, null, 2)}\n`);
}

function problemsOf({ result, missing, notes }: FindOutcome, tellsLimit: boolean): string[] {
  const problems = missing.map((path) => `${path} does not exist`);
  problems.push(...notes.map((note) => note.replace(/^\[(.*)\]$/s, "$1")));
  if (result.unreadable > 0) problems.push(`${result.unreadable} directories could not be read`);
  if (result.timedOut) problems.push(`stopped after ${TIMEOUT_MS / 60_000} minutes`);
  if (result.limitReached && tellsLimit) {
    const { length } = result.found;
    problems.push(`the newest ${length} of ${result.matched} paths; --limit shows more`);
  }
  return problems;
}

function limitOf(value: string | true | undefined): number {
  if (value === undefined) return DEFAULT_LIMIT;
  const limit = Number(value);
  if (typeof value === "string" && /^[1-9]\d*$/.test(value) && limit <= MAX_LIMIT) return limit;
  throw wrong(`--limit takes a whole number from 1 to ${MAX_LIMIT}, not "${value}"`);
}

function wrong(message: string): UsageError {
  return new UsageError(message, usageLine(FIND));
}
