// The reference of the settings as a page, made from their rows.

import { COMMAND } from "../brand.ts";
import type { SettingRow } from "./setting.ts";
import { keyOf, type SettingGroup } from "./setting-group.ts";

const BROKEN_FILES = [
  "## If a settings file cannot be read",
  "",
  "Settings that guard something fail closed: if Tau cannot read your value, it assumes the strictest one.",
  "These settings are marked in the tables below.",
  "",
  "- **A file that cannot be read at all** (a YAML error, a tab, a duplicate key, a directory or a dangling",
  "  link in its place) might have denied anything. Tau asks about every call, reads included, whatever other",
  "  files and flags say, until you fix the file and start a new session. If nobody can be asked, calls are",
  "  refused. Denials that can still be read stay in force. If the file mentions `sandbox` or `secrets`,",
  "  commands are also sandboxed and secrets hidden.",
  "- **An invalid value** (`approvalMode: alwaysask`, or no value at all) is replaced by the strictest one.",
  "  A source with higher precedence, such as a flag, still overrides it. An empty list of rules or map of",
  "  policies is just empty, unless something else in the file is not understood.",
  "- **A rule or policy that cannot be understood** (`deny Bash(git push*)`, `{bash: promt}`, or",
  "  `{bash:deny}`, which lacks a space) makes Tau ask about every call of the tool it names, or about every",
  "  call if it names none (`approval: {default: prompt}`).",
  "- **A misspelt key** (`tools.aprovalMode`, `sandbox.mod`) is taken for the setting it resembles, with the",
  "  strictest value.",
  "",
  "```text",
  `$ ${COMMAND} -p "run git push"`,
  "tau: /home/ada/.tau/agent/config.yml:3: tools.rules.0: there is no tool Bash (did you mean bash?); every call of bash is asked about until you fix it and start a new session",
  "```",
  "",
  "The same applies to settings of other tools: those of oh-my-pi, if they are stricter than Tau's defaults,",
  "and the permissions of Claude Code and OpenCode. To ignore a broken file of another tool, add the tool to",
  "`disabledSources`.",
  "",
];

export function settingsReference(groups: readonly SettingGroup[]): string {
  const parts = [
    "# Settings",
    "",
    `<!-- Made by \`npm run docs\` from the rows in packages/tau/src; do not edit. -->`,
    "",
    `Settings are in \`~/.tau/agent/config.yml\` (\`${COMMAND} config path\`), as YAML, nested or dotted:`,
    "",
    "```yaml",
    "compaction:",
    "  keepRecentTokens: 30000",
    "modelRoles:",
    "  smol: anthropic/claude-haiku-4-5",
    "```",
    "",
    "```sh",
    `${COMMAND} config list                         # all of them, with their values`,
    `${COMMAND} config set compaction.strategy prune`,
    `${COMMAND} config explain compaction.strategy  # where the value comes from`,
    `${COMMAND} config unset compaction.strategy    # back to the default`,
    `${COMMAND} config set modelRoles.smol openai/gpt-5.4-mini  # one entry of a map`,
    "```",
    "",
    "Precedence, from lowest to highest: the default; oh-my-pi's file, for settings with the same meaning;",
    "your file; the project's file (`.tau/config.yml`, if you [trust](trust.md) the project; `--project`",
    "writes there); `--config FILE`, for one run; [environment variables](environment.md); flags. Maps are",
    "merged across files; everything else is replaced.",
    "",
    "Deprecated keys still work. To rewrite a file with the current names, run",
    `\`${COMMAND} config migrate\`; it keeps a copy.`,
    "",
    "Changing a setting keeps the file's comments and anything that another process writes at the same time.",
    "Unknown keys and values of the wrong type are reported with their lines; the rest of the file still",
    "applies. If there are many unknown keys, the first three are named, and the rest are counted, with their",
    "lines.",
    "",
    ...BROKEN_FILES,
  ];
  for (const group of groups) {
    parts.push(`## ${group.title}`, "", "| Key | Default | Meaning |", "| --- | --- | --- |");
    for (const [name, row] of Object.entries(group.rows)) {
      parts.push(`| \`${keyOf(group, name)}\` | \`${defaultText(row)}\` | ${meaning(row)} |`);
    }
    parts.push("");
  }
  return `${parts.join("\n").trimEnd()}\n`;
}

function defaultText(row: SettingRow): string {
  return typeof row.default === "string" ? row.default || " " : JSON.stringify(row.default);
}

function meaning(row: SettingRow): string {
  const kind =
    row.type === "enum"
      ? `: ${row.values.map((value) => `\`${value}\``).join(", ")}`
      : row.type === "number" && row.unit
        ? ` (${row.unit})`
        : "";
  const scope = row.scope === "user" ? ". Not from a project" : "";
  // A bar would end the cell.
  return `${row.help}${kind}${scope}${ifLost(row)}`.replaceAll("|", "\\|");
}

function ifLost({ guards }: SettingRow): string {
  if (!guards) return "";
  const { closed, tool } = guards;
  if (closed !== undefined) return `. Fails closed: \`${printed(closed)}\``;
  return tool === undefined
    ? ". Fails closed: every call is asked about"
    : `. Fails closed: every call of \`${tool}\` is asked about`;
}

function printed(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
