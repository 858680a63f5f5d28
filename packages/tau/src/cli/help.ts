// Help as text, from the table's rows.

import { COMMAND, PRODUCT, VERSION } from "../brand.ts";
import {
  COMMANDS,
  GLOBAL_FLAGS,
  RUN_COMMAND,
  type CommandRow,
  type FlagRow,
} from "./command-table.ts";
import { usageLine } from "./parse.ts";

/** Columns that leave room for a sentence beside them on 80. */
const MAX_HEAD = 27;

export function generalHelp(): string {
  return [
    `${PRODUCT} ${VERSION}: a coding agent for your terminal.`,
    "",
    "Usage",
    `  ${usageLine(RUN_COMMAND)}`,
    `  ${COMMAND} <command> [flags] …`,
    "",
    "Commands",
    ...columns(COMMANDS.map((row) => [`${row.name} ${row.positionals}`.trim(), row.summary])),
    "",
    ...flagLines(RUN_COMMAND.flags),
    "",
    ...exampleLines(RUN_COMMAND),
    "",
  ].join("\n");
}

export function commandHelp(command: CommandRow): string {
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
  return [
    "Flags",
    ...columns([...flags, ...GLOBAL_FLAGS].map((row) => [flagHead(row), row.summary])),
  ];
}

export function flagHead(flag: FlagRow): string {
  const short = flag.short ? `-${flag.short}, ` : "    ";
  const value = flag.value ? ` <${flag.value}>` : "";
  return `${short}--${flag.name}${value}`;
}

function exampleLines(command: CommandRow): string[] {
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
