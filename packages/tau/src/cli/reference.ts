// The command-line reference as Markdown, from the same rows that parse the line.

import { usageLine } from "../user-error.ts";
import { COMMAND } from "../brand.ts";
import { EXIT } from "../exit-code.ts";
import { allCommands } from "./all-commands.ts";
import { GLOBAL_FLAGS, RUN_COMMAND } from "./command-table.ts";
import type { Subcommand, FlagRow } from "../feature-api/subcommand.ts";
import { flagHead } from "./help.ts";

const EXIT_MEANING: Record<keyof typeof EXIT, string> = {
  done: "done",
  failed: "the run failed",
  usage: "usage error: invalid command line",
  noCredentials: "no credentials, or the provider refused them",
  interrupted: "interrupted",
};

export async function commandLineReference(): Promise<string> {
  const exits = Object.entries(EXIT).map(
    ([name, code]) => `| ${code} | ${EXIT_MEANING[name as keyof typeof EXIT]} |`,
  );
  return [
    "# The command line",
    "",
    "<!-- Generated from packages/tau/src/cli/command-table.ts and the features' commands by `npm run docs`. -->",
    "",
    ...section(RUN_COMMAND),
    ...(await allCommands()).flatMap(section),
    "## Everywhere",
    "",
    ...flagTable(GLOBAL_FLAGS),
    "",
    "An argument that begins with `@` names a file whose content is added to the prompt. Arguments",
    "after `--` are never parsed as flags, commands or files.",
    "",
    "## Exit codes",
    "",
    "| Code | Meaning |",
    "| --- | --- |",
    ...exits,
    "",
  ].join("\n");
}

function section(command: Subcommand): string[] {
  const lines = [
    `## ${[COMMAND, command.name].filter(Boolean).join(" ")}`,
    "",
    `${command.summary}.`,
    "",
    "```text",
    usageLine(command),
    "```",
    "",
  ];
  if (command.flags.length > 0) lines.push(...flagTable(command.flags), "");
  if (command.examples) {
    const examples = command.examples.map(({ line, what }) => `${line}  # ${what}`);
    lines.push("```sh", ...examples, "```", "");
  }
  return lines;
}

function flagTable(flags: readonly FlagRow[]): string[] {
  return [
    "| Flag | What it does |",
    "| --- | --- |",
    ...flags.map((flag) => `| \`${flagHead(flag).trim()}\` | ${flag.summary} |`),
  ];
}
