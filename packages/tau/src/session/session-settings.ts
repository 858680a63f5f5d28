// The settings that a session itself has, and what holds where the user set nothing.

import { flag, oneOf } from "../config/setting.ts";
import { defaultsOf, settingGroup, type GroupValues } from "../config/setting-group.ts";
import type { Settings } from "../config/settings.ts";

const QUEUE_MODES = ["one-at-a-time", "all"] as const;

export const SESSION_ROWS = settingGroup("", "Queued messages", {
  steeringMode: oneOf(
    QUEUE_MODES,
    "one-at-a-time",
    "Steering: how many queued messages each turn receives",
  ),
  followUpMode: oneOf(
    QUEUE_MODES,
    "one-at-a-time",
    "Follow-ups: how many queued messages are sent once the model is done",
  ),
  interruptMode: oneOf(
    ["immediate", "wait"],
    "immediate",
    "Whether a steering message skips the turn's pending tool calls",
  ),
});

export const PROMOTION_ROWS = settingGroup("contextPromotion", "Context promotion", {
  enabled: flag(
    true,
    "Switch to a model with a larger context window when the conversation fills it",
  ),
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
