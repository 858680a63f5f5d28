// How compaction is set up: the rows, and what their values mean to the code.

import { amount, flag, oneOf, text } from "../../config/setting.ts";
import { settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const COMPACTION_ROWS = settingGroup("compaction", "Long conversations", {
  enabled: flag(true, "Whether a conversation that fills up is made shorter by itself"),
  strategy: oneOf(
    ["summary", "handoff", "prune", "remote", "snapshot", "off"],
    "summary",
    "How: a summary, a fresh session, old results left out, a service, pictures",
    { aliases: { "context-full": "summary", shake: "prune", snapcompact: "snapshot" } },
  ),
  reserveTokens: amount(16_384, "Kept free for the reply", { min: 0, unit: "tokens" }),
  keepRecentTokens: amount(20_000, "At the end of the conversation, kept as they are", {
    min: 0,
    unit: "tokens",
  }),
  thresholdPercent: amount(-1, "Of the window, from which on; below 1 it is worked out", {
    max: 100,
  }),
  thresholdTokens: amount(-1, "From which on, instead of a percentage; below 1 unused"),
  autoContinue: flag(true, "Whether the model is told to go on after a summary in mid-work"),
  idleEnabled: flag(false, "Whether to summarise while nobody is there"),
  idleThresholdTokens: amount(200_000, "From which size on", { min: 0, unit: "tokens" }),
  idleTimeoutSeconds: amount(300, "After how long", { min: 0, unit: "s" }),
  remoteEndpoint: text("", "Where the `remote` strategy posts the conversation to", {
    scope: "user",
  }),
});

export type CompactionSettings = GroupValues<typeof COMPACTION_ROWS>;
