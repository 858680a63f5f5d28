// Which tools the model has, and the limits that the table of tools puts on all of them.

import { DEFAULT_LIMITS } from "@tau/agent/bound-output";
import type { ToolTableOptions } from "@tau/agent/tool-table";
import { amount, flag } from "../config/setting.ts";
import { settingGroup } from "../config/setting-group.ts";
import type { Settings } from "../config/settings.ts";

const KILOBYTE = 1024;

export const TOOL_LIMIT_ROWS = settingGroup("tools", "Tool limits", {
  maxTimeout: amount(0, "Timeout for any tool call; 0 leaves it to the tool", {
    min: 0,
    unit: "s",
  }),
  outputMaxColumns: amount(
    DEFAULT_LIMITS.columns ?? 0,
    "Maximum line length of output, in characters; 0: no limit",
    {
      min: 0,
    },
  ),
  artifactSpillThreshold: amount(
    DEFAULT_LIMITS.bytes / KILOBYTE,
    "Larger output is truncated in the middle and kept in full as an artifact",
    { min: 1, max: 1024, unit: "KB" },
  ),
});

/** One that was taken away stays away, even if nobody can read the word that did it. */
const TAKEN_AWAY = { guards: { kind: "tool", closed: false } } as const;

export const TOOL_ROWS = settingGroup("", "Tools", {
  "bash.enabled": flag(true, "The `bash` tool: run commands", TAKEN_AWAY),
  "find.enabled": flag(true, "The `find` tool: find files by name", TAKEN_AWAY),
  "search.enabled": flag(true, "The `search` tool: search file contents", TAKEN_AWAY),
  "astGrep.enabled": flag(true, "The `ast_grep` tool: structural search", TAKEN_AWAY),
  "astEdit.enabled": flag(true, "The `ast_edit` tool: structural rewrites", TAKEN_AWAY),
});

const NAMES: Readonly<Record<keyof (typeof TOOL_ROWS)["rows"], readonly string[]>> = {
  // Without commands there are no jobs.
  "bash.enabled": ["bash", "job"],
  "find.enabled": ["find"],
  "search.enabled": ["search"],
  "astGrep.enabled": ["ast_grep"],
  "astEdit.enabled": ["ast_edit"],
};

export function enabledTools(settings: Settings, all: readonly string[]): string[] {
  const rows = Object.entries(settings.group(TOOL_ROWS)) as [keyof typeof NAMES, boolean][];
  const off = new Set(rows.flatMap(([key, isOn]) => (isOn ? [] : NAMES[key])));
  return all.filter((name) => !off.has(name));
}

export function toolLimitsFrom(settings: Settings): ToolTableOptions {
  const { maxTimeout, outputMaxColumns, artifactSpillThreshold } = settings.group(TOOL_LIMIT_ROWS);
  const { columns: _default, ...limits } = DEFAULT_LIMITS;
  return {
    ...(maxTimeout === 0 ? {} : { maxTimeoutMs: maxTimeout * 1000 }),
    limits: {
      ...limits,
      bytes: artifactSpillThreshold * KILOBYTE,
      ...(outputMaxColumns === 0 ? {} : { columns: outputMaxColumns }),
    },
  };
}
