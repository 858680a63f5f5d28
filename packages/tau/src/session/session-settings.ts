// The settings that a session itself has, what holds where the user set nothing, and how they
// are read from a settings file.

import type { QueueMode } from "@tau/agent/mailbox";
import { boolean, number, object, optional, picklist, string } from "valibot";
import { DEFAULT_COMPACTION, type CompactionSettings } from "../behaviours/compaction/settings.ts";
import { parseSettings } from "../config/parse-settings.ts";
import type { ConfigProblem } from "../model/config-problem.ts";

export interface SessionSettings {
  compaction: CompactionSettings;
  /** How many messages one turn is given of those that wait. */
  steeringMode: QueueMode;
  followUpMode: QueueMode;
  /** What steering does to calls of the turn that have not begun. */
  interruptMode: "immediate" | "wait";
}

export const DEFAULT_SESSION_SETTINGS: SessionSettings = {
  compaction: DEFAULT_COMPACTION,
  steeringMode: "one-at-a-time",
  followUpMode: "one-at-a-time",
  interruptMode: "immediate",
};

const queueMode = picklist(["one-at-a-time", "all"]);

const schema = object({
  compaction: optional(
    object({
      enabled: optional(boolean()),
      strategy: optional(string()),
      reserveTokens: optional(number()),
      keepRecentTokens: optional(number()),
      thresholdPercent: optional(number()),
      thresholdTokens: optional(number()),
      autoContinue: optional(boolean()),
      idleEnabled: optional(boolean()),
      idleThresholdTokens: optional(number()),
      idleTimeoutSeconds: optional(number()),
      remoteEndpoint: optional(string()),
    }),
  ),
  steeringMode: optional(queueMode),
  followUpMode: optional(queueMode),
  interruptMode: optional(picklist(["immediate", "wait"])),
});

export async function parseSessionSettings(
  text: string,
  file: string,
): Promise<{ settings: SessionSettings; problems: ConfigProblem[] }> {
  const { output, problems } = await parseSettings(text, file, schema);
  const { compaction, ...rest } = output;
  const defaults = DEFAULT_SESSION_SETTINGS;
  return {
    problems,
    settings: {
      ...defaults,
      ...rest,
      compaction: { ...defaults.compaction, ...compaction },
    },
  };
}
