// The reference of the settings as a page, made from their rows.

import { COMMAND } from "../brand.ts";
import type { SettingRow } from "./setting.ts";
import { keyOf, type SettingGroup } from "./setting-group.ts";

const BROKEN_FILES = [
  "## If a settings file cannot be read",
  "",
  "Settings that guard something fail closed: a word of yours that cannot be read never counts for nothing.",
  "They are marked in the tables below.",
  "",
  "- **A file of which nothing can be read** (a YAML error, a tab, a key that is there twice, a directory or",
  "  a link to nowhere in its place) may have refused anything. Every call is asked about until you mend it and",
  "  begin a new session, reads too, whatever other files and flags say; without anybody to ask, calls are",
  "  refused. What can still be read and refuses still does. If the file mentions `sandbox` or `secrets`,",
  "  commands are confined and secrets hidden as well.",
  "- **A value that does not fit** (`approvalMode: alwaysask`, or no value at all) becomes the strictest one.",
  "  A higher word, such as a flag, outweighs it as it would have outweighed yours. An empty list of rules or",
  "  map of policies is just empty, unless something else in the file is not understood.",
  "- **A rule or policy that cannot be understood** (`deny Bash(git push*)`, `{bash: promt}`,",
  "  `{bash:deny}` without a blank) has every call of the tool it names asked about; every call, if it names",
  "  none (`approval: {default: prompt}`).",
  "- **A name with a slip in it** (`tools.aprovalMode`, `sandbox.mod`) counts as the setting it is near, with",
  "  the strictest value.",
  "",
  "```text",
  `$ ${COMMAND} -p "run git push"`,
  "tau: /home/ada/.tau/agent/config.yml:3: tools.rules.0: there is no tool Bash (did you mean bash?); every call of bash is asked about until you mend it and begin a new session",
  "```",
  "",
  "The same holds for what is taken from others: oh-my-pi's settings, if they are stricter than the defaults",
  "here, and the permissions of Claude Code and OpenCode. To go on without a file of theirs that is broken,",
  "name its owner in `disabledSources`.",
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
    `${COMMAND} config explain compaction.strategy  # where the value is from`,
    `${COMMAND} config unset compaction.strategy    # back to the default`,
    "```",
    "",
    "From the lowest word to the highest: the default, oh-my-pi's file if it means the same, yours, the",
    "project's (`.tau/config.yml`, where you [trust](trust.md) it; `--project` writes there), `--config FILE`,",
    "[variables](environment.md), flags. A file with names of before is read as it was meant, and rewritten by",
    `\`${COMMAND} config migrate\`, which keeps a copy.`,
    "",
    "Changing one keeps the comments of the file and what another process writes meanwhile. `--config FILE`",
    "puts a file on top for one run. A key nobody knows and a value of the wrong kind are named with their",
    "line, and everything else in the file counts. Of many unknown keys the first three are named, the others",
    "are counted, with their lines. Maps are joined across files, everything else is replaced.",
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
