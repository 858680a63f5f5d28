// How compaction is set up: the rows, and what their values mean to the code.

import { amount, flag, oneOf, text } from "../../config/setting.ts";
import { settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const COMPACTION_ROWS = settingGroup("compaction", "Long conversations", {
  enabled: flag(true, "Automatic compaction: shorten a conversation that fills the context window"),
  strategy: oneOf(
    ["summary", "handoff", "prune", "remote", "snapshot", "off"],
    "summary",
    "How: summarise, hand off to a new session, prune results, a service, images",
    { aliases: { "context-full": "summary", shake: "prune", snapcompact: "snapshot" } },
  ),
  reserveTokens: amount(16_384, "Tokens reserved for the reply", { min: 0, unit: "tokens" }),
  keepRecentTokens: amount(20_000, "Recent part of the conversation that is kept verbatim", {
    min: 0,
    unit: "tokens",
  }),
  thresholdPercent: amount(-1, "Threshold, in percent of the context window; below 1: automatic", {
    max: 100,
  }),
  thresholdTokens: amount(-1, "Threshold in tokens, instead of a percentage; below 1: not used"),
  autoContinue: flag(
    true,
    "Whether the model is told to continue after compaction interrupts its work",
  ),
  idleEnabled: flag(false, "Idle compaction: compact while nobody is using the session"),
  idleThresholdTokens: amount(200_000, "Minimum context size for idle compaction", {
    min: 0,
    unit: "tokens",
  }),
  idleTimeoutSeconds: amount(300, "Idle time before idle compaction", { min: 1, unit: "s" }),
  remoteEndpoint: text("", "URL to which the `remote` strategy posts the conversation", {
    scope: "user",
  }),
});

export type CompactionSettings = GroupValues<typeof COMPACTION_ROWS>;
