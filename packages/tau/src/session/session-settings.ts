// The settings that a session itself has, and what holds where the user set nothing.

import { flag, oneOf } from "../config/setting.ts";
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

export const PROMOTION_ROWS = settingGroup("contextPromotion", "Larger models", {
  enabled: flag(true, "Whether a conversation that fills up goes on with a larger model"),
});

export interface SessionSettings extends GroupValues<typeof SESSION_ROWS> {
  /** Where a model names one. */
  promotes: boolean;
}

export const DEFAULT_SESSION_SETTINGS: SessionSettings = {
  ...defaultsOf(SESSION_ROWS),
  promotes: PROMOTION_ROWS.rows.enabled.default,
};

export function sessionSettingsFrom(settings: Settings): SessionSettings {
  return {
    ...settings.group(SESSION_ROWS),
    promotes: settings.group(PROMOTION_ROWS).enabled,
  };
}
