// The settings that a session itself has, and what holds where the user set nothing.

import {
  COMPACTION_ROWS,
  DEFAULT_COMPACTION,
  type CompactionSettings,
} from "../behaviours/compaction/settings.ts";
import { oneOf } from "../config/setting.ts";
import { defaultsOf, settingGroup, type GroupValues } from "../config/setting-group.ts";
import type { Settings } from "../config/settings.ts";

const QUEUE_MODES = ["one-at-a-time", "all"] as const;

export const SESSION_ROWS = settingGroup("", "Messages while the model works", {
  steeringMode: oneOf(QUEUE_MODES, "one-at-a-time", "How many waiting messages a turn is given"),
  followUpMode: oneOf(QUEUE_MODES, "one-at-a-time", "The same for messages for when it is done"),
  interruptMode: oneOf(
    ["immediate", "wait"],
    "immediate",
    "Whether a message skips the calls of the turn that have not begun",
  ),
});

export interface SessionSettings extends GroupValues<typeof SESSION_ROWS> {
  compaction: CompactionSettings;
}

export const DEFAULT_SESSION_SETTINGS: SessionSettings = {
  ...defaultsOf(SESSION_ROWS),
  compaction: DEFAULT_COMPACTION,
};

export function sessionSettingsFrom(settings: Settings): SessionSettings {
  return { ...settings.group(SESSION_ROWS), compaction: settings.group(COMPACTION_ROWS) };
}
