// The user's settings, read by the table of all that there are.

import type { KnownRows } from "../config/settings-layer.ts";
import { openSettings, type OpenSettingsOptions } from "../config/open-settings.ts";
import type { Feature } from "../feature-api/feature.ts";
import type { Settings } from "../config/settings.ts";

export interface OpenUserSettingsOptions extends Omit<OpenSettingsOptions, "table"> {
  /** Whose rows count; the built-in ones' if absent. */
  features?: readonly Feature[];
}

/** Loaded only if there is a file to be read by it. */
async function loadSettingsTable(features?: readonly Feature[]): Promise<KnownRows> {
  const { SETTINGS_TABLE, settingsTableOf } = await import("./settings-table.ts");
  return features ? settingsTableOf(features) : SETTINGS_TABLE;
}

export function openUserSettings({
  features,
  ...options
}: OpenUserSettingsOptions): Promise<Settings> {
  return openSettings({ ...options, table: () => loadSettingsTable(features) });
}
