// The user's settings, read by the table of all that there are.

import type { KnownRows } from "../config/settings-layer.ts";
import { openSettings, type OpenSettingsOptions } from "../config/open-settings.ts";
import type { Settings } from "../config/settings.ts";

/** Loaded only if there is a file to be read by it. */
async function loadSettingsTable(): Promise<KnownRows> {
  return (await import("./settings-table.ts")).SETTINGS_TABLE;
}

export function openUserSettings(options: Omit<OpenSettingsOptions, "table">): Promise<Settings> {
  return openSettings({ ...options, table: loadSettingsTable });
}
