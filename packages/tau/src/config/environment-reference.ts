// The reference of the environment as a page, made from the rows of variables and of providers.

import type { ProviderRow } from "@tau/ai/provider-row";
import { PROVIDERS } from "@tau/ai/providers";
import { COMMAND, CONFIG_DIRECTORY } from "../brand.ts";
import type { VariableName } from "./environment-table.ts";
import type { KnownVariables } from "./known-variables.ts";

export function environmentReference(variables: KnownVariables): string {
  const parts = [
    "# Environment variables",
    "",
    "<!-- Made by `npm run docs` from the rows in packages/tau/src/config/environment-table.ts, of the features and of the providers; do not edit. -->",
    "",
    "Precedence: a variable overrides the settings files, and a flag overrides a variable;",
    `\`${COMMAND} config explain KEY\` shows which one applies. Booleans are \`1\`, \`true\`, \`yes\` or \`on\`, and \`0\`,`,
    "`false`, `no` or `off`; any other value is reported on standard error and ignored. `OMP_X` and `PI_X` are",
    "aliases of `TAU_X`, used if `TAU_X` is not set.",
    "",
    "## Tau's own",
    "",
    "| Variable | Type | Meaning | Overrides the setting |",
    "| --- | --- | --- | --- |",
    ...variables.names.map((name) => ownRow(name, variables)),
    "",
    "## Files",
    "",
    "Variables that are not set in the environment are read from files with lines `NAME=value`. The first file",
    "that has a variable wins:",
    "",
    `1. \`${CONFIG_DIRECTORY}/.env\` and \`.env\` in the working directory: only providers' keys, and only if you`,
    `   [trust](trust.md) the project; and ${projectNames(variables)}.`,
    "   Variables that decide where requests go or what runs (`*_BASE_URL`, `TAU_MODEL`, `PATH`, `NODE_OPTIONS`,",
    "   proxies, …) are never taken from a project; you are told if one tries.",
    `2. \`~/${CONFIG_DIRECTORY}/agent/.env\`: everything.`,
    "3. `~/.env`: the variables on this page, and nothing else of that file. If you work in your home directory, this file is",
    "   the project's (1).",
    "",
    "Values may be quoted; double quotes allow escapes such as `\\n`. Nothing is executed or expanded. A line",
    "that cannot be parsed is reported with its number; the other lines still apply.",
    "",
    "## Providers",
    "",
    "| Provider | API keys (the first that is set) | Base URL |",
    "| --- | --- | --- |",
    ...PROVIDERS.flatMap(providerRow),
    "",
    "Commands that the model runs cannot see these keys.",
    "",
    "## Others",
    "",
    "| Variable | Meaning |",
    "| --- | --- |",
    ...OTHERS.map(([name, help]) => `| \`${name}\` | ${help} |`),
    "",
  ];
  return `${parts.join("\n").trimEnd()}\n`;
}

/** Variables of the system and of other programs that Tau respects. */
const OTHERS: readonly (readonly [string, string])[] = [
  ["HOME", "Home directory"],
  ["TMPDIR", "Directory for temporary files; files there may be overwritten without asking"],
  ["PATH", "Directories that are searched for programs"],
  ["NO_COLOR", "Disables colours"],
  ["TERM", "Capabilities of the terminal, with `COLORTERM` and `COLORFGBG`"],
  ["VIRTUAL_ENV", "Python virtual environment for code cells"],
  [
    "DEBUG_CURSOR",
    "Logs what is said to and by [Cursor](models.md#cursor), with `2` or `verbose` in detail; to standard error if that is not a terminal",
  ],
  ["DEBUG_CURSOR_LOG", "File for that log, as JSON lines; the conversation is in it"],
  ["HTTPS_PROXY", "Proxy for web requests, with `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`"],
];

function ownRow(name: VariableName, variables: KnownVariables): string {
  const { type, help, setting } = variables.row(name)!;
  const note = variables.aliasesOf(name).length === 0 ? ". Has no aliases" : "";
  return `| \`${name}\` | ${type} | ${help}${note} | ${setting === undefined ? "" : `\`${setting}\``} |`;
}

function projectNames(variables: KnownVariables): string {
  return variables.names
    .filter((name) => variables.row(name)?.project === "may")
    .map((name) => `\`${name}\``)
    .join(", ");
}

function providerRow({ id, loginEnv = [], keyEnv, baseUrlEnv = [], hostEnv = [] }: ProviderRow) {
  const keys = [...loginEnv, ...keyEnv];
  const addresses = [...baseUrlEnv, ...hostEnv];
  if (keys.length + addresses.length === 0) return [];
  const code = (names: readonly string[]): string => names.map((one) => `\`${one}\``).join(", ");
  return [`| \`${id}\` | ${code(keys)} | ${code(addresses)} |`];
}
