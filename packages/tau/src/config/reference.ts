// The reference of the settings as a page, made from their rows.

import { COMMAND } from "../brand.ts";
import type { SettingRow } from "./setting.ts";
import { keyOf } from "./setting-group.ts";
import { SETTING_GROUPS } from "./settings-table.ts";

export function settingsReference(): string {
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
    `${COMMAND} config explain compaction.strategy  # where the value is from`,
    `${COMMAND} config unset compaction.strategy    # back to the default`,
    "```",
    "",
    "From the lowest word to the highest: the default, oh-my-pi's file where it means the same, yours, the",
    "project's (`.tau/config.yml`, where you [trust](trust.md) it; `--project` writes there), `--config FILE`,",
    "[variables](environment.md), flags. A file with names of before is read as it was meant, and rewritten by",
    `\`${COMMAND} config migrate\`, which keeps a copy.`,
    "",
    "Changing one keeps the comments of the file and what another process writes meanwhile. `--config FILE`",
    "puts a file on top for one run. A key nobody knows and a value of the wrong kind are named with their",
    "line, and everything else in the file counts. Maps are joined across files, everything else is replaced.",
    "",
  ];
  for (const group of SETTING_GROUPS) {
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
  return `${row.help}${kind}${scope}`.replaceAll("|", "\\|");
}
