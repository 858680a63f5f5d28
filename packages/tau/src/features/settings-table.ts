// Every setting there is: those of the rooms below, then those of the built-in features, which keep
// their rows beside their code. Files are checked, listed and documented from this one table.

import type { SettingRow } from "../config/setting.ts";
import type { Feature } from "../feature-api/feature.ts";
import { keyOf, type SettingGroup } from "../config/setting-group.ts";
import type { KnownRows } from "../config/settings-layer.ts";
import { SKILL_ROWS } from "../context/instruction-settings.ts";
import { PROMPT_ROWS } from "../context/prompt-profile.ts";
import { EXTENSION_ROWS } from "../discovery/extension-settings.ts";
import { DISCOVERY_ROWS } from "../discovery/settings.ts";
import { DISPLAY_ROWS, THEME_ROWS } from "../looks/display-settings.ts";
import { INTERACTION_ROWS, TERMINAL_ROWS, TUI_ROWS } from "../looks/interaction-settings.ts";
import { STATUS_LINE_ROWS } from "../looks/status-settings.ts";
import { MODEL_ROWS, PROVIDER_ROWS } from "../model/model-setting-rows.ts";
import { PROMOTION_ROWS, SESSION_ROWS } from "../session/session-settings.ts";
import { TOOL_LIMIT_ROWS } from "../tools/tool-settings.ts";
import { BUILT_IN } from "./built-in.ts";
import { variablesOf } from "./variables-table.ts";

/** The groups of these features and of everything below them. */
export function settingGroupsOf(features: readonly Feature[]): readonly SettingGroup[] {
  return [
    MODEL_ROWS,
    PROVIDER_ROWS,
    SESSION_ROWS,
    PROMOTION_ROWS,
    TOOL_LIMIT_ROWS,
    PROMPT_ROWS,
    SKILL_ROWS,
    ...features.flatMap(({ settings = [] }) => settings),
    DISCOVERY_ROWS,
    EXTENSION_ROWS,
    INTERACTION_ROWS,
    TERMINAL_ROWS,
    TUI_ROWS,
    STATUS_LINE_ROWS,
    THEME_ROWS,
    DISPLAY_ROWS,
  ];
}

export const SETTING_GROUPS: readonly SettingGroup[] = settingGroupsOf(BUILT_IN);

/** The rows of these features and of everything below them. */
export function settingsTableOf(features: readonly Feature[]): KnownRows {
  const groups = features === BUILT_IN ? SETTING_GROUPS : settingGroupsOf(features);
  const rows: ReadonlyMap<string, SettingRow> = new Map(
    groups.flatMap((group) =>
      Object.entries(group.rows).map(([name, row]) => [keyOf(group, name), row] as const),
    ),
  );
  return {
    row: (key) => rows.get(key),
    keys: () => [...rows.keys()],
    variables: variablesOf(features),
  };
}

export const SETTINGS_TABLE: KnownRows = settingsTableOf(BUILT_IN);
