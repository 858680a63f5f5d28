// tau history: what was asked before, to find again.

import { currentDirectory } from "../../base/working-directory.ts";
import { fitLine } from "@tau/tui/width";
import { COMMAND } from "../../brand.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { findCommand } from "../command-table.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { agentDirectory } from "../../config/places.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { findHistory } from "../../session/history/open-history.ts";
import type { HistoryItem } from "../../session/history/prompt-history.ts";
import { canonicalPath } from "../../base/same-directory.ts";
import { UsageError, usageLine } from "../../user-error.ts";

/** A screen's worth. */
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 10_000;
const COLUMNS = 80;

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  const limit = limitOf(flags.limit);
  const query = positionals.join(" ");
  using history = await findHistory({
    agentDirectory: agentDirectory(process.env),
    onWarning: (message) => writeError(`${COMMAND}: ${message}\n`),
  });
  const cwd = canonicalPath(currentDirectory());
  const range = { cwd, onlyCwd: flags.all !== true, limit };
  const found = history?.search(query, range) ?? [];
  if (flags.json) await writeOutput(`${JSON.stringify(found, null, 2)}\n`);
  else if (found.length > 0) await writeOutput(found.map((item) => `${line(item)}\n`).join(""));
  else {
    const what = query === "" ? "no prompts" : `no prompts with "${query}"`;
    const where = flags.all ? "" : " in this directory; --all searches all directories";
    writeError(`${COMMAND}: ${what}${where}\n`);
  }
  return EXIT.done;
}

function line({ at, prompt }: HistoryItem): string {
  const when = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  return fitLine(`${when}  ${prompt.trim()}`, COLUMNS);
}

function limitOf(value: string | true | undefined): number {
  if (value === undefined) return DEFAULT_LIMIT;
  const limit = Number(value);
  if (typeof value === "string" && /^[1-9]\d*$/.test(value) && limit <= MAX_LIMIT) return limit;
  throw new UsageError(
    `--limit takes a whole number from 1 to ${MAX_LIMIT}, not "${value}"`,
    usageLine(findCommand("history")!),
  );
}
