// The reference of the environment as a page, made from the rows of variables and of providers.

import type { ProviderRow } from "@tau/ai/provider-row";
import { PROVIDERS } from "@tau/ai/providers";
import { COMMAND, CONFIG_DIRECTORY } from "../brand.ts";
import { aliasesOf, VARIABLE_NAMES, variableRow, type VariableName } from "./environment-table.ts";

export function environmentReference(): string {
  const parts = [
    "# Environment variables",
    "",
    "<!-- Made by `npm run docs` from the rows in packages/tau/src/config/environment-table.ts and of the providers; do not edit. -->",
    "",
    "A variable outweighs the settings files, and a flag outweighs a variable;",
    `\`${COMMAND} config explain KEY\` shows which one counts. Yes is \`1\`, \`true\`, \`yes\` or \`on\`, no is \`0\`,`,
    "`false`, `no` or `off`; anything else is named on standard error and left out. The names `OMP_X` and",
    "`PI_X` count for `TAU_X` where that is unset.",
    "",
    "## Tau's own",
    "",
    "| Variable | Kind | Meaning | Instead of the setting |",
    "| --- | --- | --- | --- |",
    ...VARIABLE_NAMES.map(ownRow),
    "",
    "## Files",
    "",
    "What the environment itself does not set is looked for in files of lines `NAME=value`, the first that",
    "has it counting:",
    "",
    `1. \`${CONFIG_DIRECTORY}/.env\` and \`.env\` in the directory that ${"Tau"} works in: only the keys of providers, and`,
    `   these only where you [trust](trust.md) the project; and ${projectNames()}.`,
    "   What decides where requests go or what runs (`*_BASE_URL`, `TAU_MODEL`, `PATH`, `NODE_OPTIONS`, proxies, …)",
    "   is never taken from a project; you are told when one tries.",
    `2. \`~/${CONFIG_DIRECTORY}/agent/.env\`: everything.`,
    "",
    "Values may stand in quotation marks, double ones with `\\n` and the like; nothing is run or filled in. A line",
    "that makes no sense is named with its number, and the others count.",
    "",
    "## Providers",
    "",
    "| Provider | Keys, the first that is set | Address |",
    "| --- | --- | --- |",
    ...PROVIDERS.flatMap(providerRow),
    "",
    "Commands that the model runs do not see these keys.",
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

/** Of the system and of other programs, that Tau heeds. */
const OTHERS: readonly (readonly [string, string])[] = [
  ["HOME", "Where the user's files are"],
  ["TMPDIR", "Where temporary files go, which may be overwritten without asking"],
  ["PATH", "Where programs are looked for"],
  ["NO_COLOR", "Output has no colours"],
  ["TERM", "What the terminal can do, with `COLORTERM` and `COLORFGBG`"],
  ["VIRTUAL_ENV", "Which Python runs code cells"],
  ["HTTPS_PROXY", "Through whom the web is reached, with `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`"],
];

function ownRow(name: VariableName): string {
  const { type, help, setting, family } = variableRow(name);
  const aliases = family === "own" ? [] : aliasesOf(name);
  const note = aliases.length === 0 ? ". Has no other names" : "";
  return `| \`${name}\` | ${type} | ${help}${note} | ${setting === undefined ? "" : `\`${setting}\``} |`;
}

function projectNames(): string {
  return VARIABLE_NAMES.filter((name) => variableRow(name).project === "may")
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
