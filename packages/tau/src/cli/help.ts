// Help as text, from the table's rows.

import { usageLine } from "../user-error.ts";
import { COMMAND, PRODUCT, VERSION } from "../brand.ts";
import { allCommands } from "./all-commands.ts";
import { GLOBAL_FLAGS, RUN_COMMAND } from "./command-table.ts";
import type { Subcommand, FlagRow } from "../feature-api/subcommand.ts";

/** Columns that leave room for a sentence beside them on 80. */
const MAX_HEAD = 27;

/** `extensionFlags`: of the extensions that the line names. */
export async function generalHelp(extensionFlags: readonly FlagRow[] = []): Promise<string> {
  const brought =
    extensionFlags.length === 0 ? [] : ["", "Flags of extensions", ...flagColumns(extensionFlags)];
  const commands = await allCommands();
  return [
    `${PRODUCT} ${VERSION}: a coding agent for your terminal.`,
    "",
    "Usage",
    `  ${usageLine(RUN_COMMAND)}`,
    `  ${COMMAND} <command> [flags] …`,
    "",
    "Commands",
    ...columns(commands.map((row) => [`${row.name} ${row.positionals}`.trim(), row.summary])),
    "",
    ...flagLines(RUN_COMMAND.flags),
    ...brought,
    "",
    ...exampleLines(RUN_COMMAND),
    "",
  ].join("\n");
}

export function commandHelp(command: Subcommand): string {
  const parts = [
    `${command.summary}.`,
    "",
    "Usage",
    `  ${usageLine(command)}`,
    "",
    ...flagLines(command.flags),
    "",
  ];
  if (command.examples) parts.push(...exampleLines(command), "");
  return parts.join("\n");
}

function flagLines(flags: readonly FlagRow[]): string[] {
  return ["Flags", ...flagColumns([...flags, ...GLOBAL_FLAGS])];
}

function flagColumns(flags: readonly FlagRow[]): string[] {
  return columns(flags.map((row) => [flagHead(row), row.summary]));
}

export function flagHead(flag: FlagRow): string {
  const short = flag.short ? `-${flag.short}, ` : "    ";
  const value = flag.value ? ` <${flag.value}>` : "";
  return `${short}--${flag.name}${value}`;
}

function exampleLines(command: Subcommand): string[] {
  const rows = (command.examples ?? []).map(({ line, what }) => [line, what] as const);
  return ["Examples", ...columns(rows)];
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const fitting = rows.map(([head]) => head.length).filter((length) => length <= MAX_HEAD);
  const width = Math.max(0, ...fitting);
  // A long head has its text below it: one of them must not push all others to the edge.
  return rows.flatMap(([head, text]) =>
    head.length <= width
      ? [`  ${head.padEnd(width)}  ${text}`]
      : [`  ${head}`, `  ${" ".repeat(width)}  ${text}`],
  );
}
