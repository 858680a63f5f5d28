// tau ps: what runs for which Tau on this machine.

import type { OwnedProcess } from "@tau/host/process/owned-processes";
import { fitLine } from "@tau/tui/width";
import { COMMAND } from "../../brand.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { ageText } from "../../tools/read/directory-tree.ts";

/** If standard output has no width of its own. */
const COLUMNS = 80;
const PID_COLUMNS = 7;
const AGE_COLUMNS = 5;

export async function run({ flags }: ParsedArgs): Promise<ExitCode> {
  const { ownedProcesses } = await import("@tau/host/process/owned-processes");
  const found = ownedProcesses();
  if (!found) {
    writeError(`${COMMAND}: this system does not report which process started another\n`);
    return EXIT.failed;
  }
  if (flags.json) {
    await writeOutput(`${JSON.stringify(found, null, 2)}\n`);
    return EXIT.done;
  }
  if (found.length === 0) {
    await writeOutput("No processes started by Tau are running.\n");
    return EXIT.done;
  }
  const columns = process.stdout.columns ?? COLUMNS;
  const lines = processLines(found, { now: Date.now(), home: process.env.HOME });
  await writeOutput(lines.map((line) => `${fitLine(line, columns).trimEnd()}\n`).join(""));
  return EXIT.done;
}

interface Seen {
  now: number;
  home: string | undefined;
}

/** A table with a tree in its last column: each Tau, under it what it started, and what that started. */
export function processLines(found: readonly OwnedProcess[], { now, home }: Seen): string[] {
  const row = (pid: string | number, age: string, words: string): string =>
    `${String(pid).padStart(PID_COLUMNS)}  ${age.padStart(AGE_COLUMNS)}  ${words}`;
  const age = (since: number | undefined): string =>
    since === undefined ? "-" : ageText(now - since);
  const lines = [row("PID", "AGE", "COMMAND")];
  for (const [owner, own] of Map.groupBy(found, (one) => one.owner)) {
    const { ownerCwd, ownerStartedAt, isOwnerAlive } = own[0]!;
    const where = isOwnerAlive ? `in ${placeName(ownerCwd, home)}` : "(ended)";
    if (lines.length > 1) lines.push("");
    lines.push(row(owner, age(ownerStartedAt), `${COMMAND} ${where}`));
    const pids = new Set(own.map(({ pid }) => pid));
    const add = (one: OwnedProcess, depth: number): void => {
      lines.push(row(one.pid, age(one.startedAt), `${"  ".repeat(depth)}${commandName(one)}`));
      for (const child of own) if (child.parent === one.pid) add(child, depth + 1);
    };
    for (const one of own) if (!pids.has(one.parent)) add(one, 1);
  }
  return lines;
}

function placeName(path: string | undefined, home: string | undefined): string {
  if (path === undefined) return "an unknown directory";
  if (!home || (path !== home && !path.startsWith(`${home}/`))) return path;
  return `~${path.slice(home.length)}`;
}

/** Without the directory of the program: it is the same for most, and the line is short. */
function commandName({ command }: OwnedProcess): string {
  return command.replace(/^\/\S*\//, "").replace(/\s+/g, " ");
}
