// The switch that a tool may have, and the limits that the table of tools puts on all of them.

import { DEFAULT_LIMITS } from "@tau/agent/bound-output";
import type { ToolTableOptions } from "@tau/agent/tool-table";
import { amount, flag, type BooleanRow } from "../config/setting.ts";
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

/** The switch of a tool. One that was taken away stays away, even if nobody can read the word that did it. */
export function toolSwitch(help: string): BooleanRow {
  return flag(true, help, { guards: { kind: "tool", closed: false } });
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
