// Every setting there is. A feature keeps its rows beside its code and adds its group here; files
// are checked, listed and documented from this one table.

import { APPROVAL_ROWS } from "../features/approval/settings.ts";
import { COMPACTION_ROWS } from "../features/compaction/settings.ts";
import { SAMPLING_ROWS } from "../features/sampling/settings.ts";
import { SECRET_ROWS } from "../features/secrets/settings.ts";
import { STREAM_RULE_ROWS } from "../features/stream-rules/settings.ts";
import { TODO_ROWS } from "../features/todo/settings.ts";
import { SKILL_ROWS } from "../context/instruction-settings.ts";
import { PROMPT_ROWS } from "../context/prompt-profile.ts";
import { DISCOVERY_ROWS } from "../discovery/settings.ts";
import { JOB_ROWS } from "../jobs/settings.ts";
import { MODEL_ROWS, RETRY_ROWS } from "../model/model-setting-rows.ts";
import { DISPLAY_ROWS, THEME_ROWS } from "../modes/interactive/display-settings.ts";
import { SANDBOX_ROWS } from "../sandbox/settings.ts";
import { PROMOTION_ROWS, SESSION_ROWS } from "../session/session-settings.ts";
import { BASH_ROWS, INTERCEPTOR_ROWS } from "../tools/bash/settings.ts";
import { EDIT_ROWS, LISTING_ROWS, READ_ROWS, SEARCH_ROWS } from "../tools/file-tool-settings.ts";
import { EVAL_ROWS, PYTHON_ROWS } from "../tools/eval/settings.ts";
import { SSH_ROWS } from "../tools/ssh/settings.ts";
import { STATUS_LINE_ROWS } from "../modes/interactive/bottom/status-settings.ts";
import {
  INTERACTION_ROWS,
  TERMINAL_ROWS,
  TUI_ROWS,
} from "../modes/interactive/interaction-settings.ts";
import { TOOL_LIMIT_ROWS, TOOL_ROWS } from "../tools/tool-settings.ts";
import type { SettingRow } from "./setting.ts";
import { keyOf, type SettingGroup } from "./setting-group.ts";

export const SETTING_GROUPS: readonly SettingGroup[] = [
  MODEL_ROWS,
  RETRY_ROWS,
  SAMPLING_ROWS,
  SESSION_ROWS,
  COMPACTION_ROWS,
  PROMOTION_ROWS,
  TOOL_ROWS,
  TOOL_LIMIT_ROWS,
  EDIT_ROWS,
  READ_ROWS,
  LISTING_ROWS,
  SEARCH_ROWS,
  BASH_ROWS,
  INTERCEPTOR_ROWS,
  JOB_ROWS,
  APPROVAL_ROWS,
  SECRET_ROWS,
  SANDBOX_ROWS,
  SSH_ROWS,
  EVAL_ROWS,
  PYTHON_ROWS,
  PROMPT_ROWS,
  SKILL_ROWS,
  STREAM_RULE_ROWS,
  TODO_ROWS,
  DISCOVERY_ROWS,
  INTERACTION_ROWS,
  TERMINAL_ROWS,
  TUI_ROWS,
  STATUS_LINE_ROWS,
  THEME_ROWS,
  DISPLAY_ROWS,
];

const ROWS: ReadonlyMap<string, SettingRow> = new Map(
  SETTING_GROUPS.flatMap((group) =>
    Object.entries(group.rows).map(([name, row]) => [keyOf(group, name), row] as const),
  ),
);

export const SETTINGS_TABLE = {
  row: (key: string): SettingRow | undefined => ROWS.get(key),
  keys: (): readonly string[] => [...ROWS.keys()],
};
