// How rules that watch the stream behave.

import { amount, flag, list, oneOf } from "../config/setting.ts";
import { defaultsOf, settingGroup, type GroupValues } from "../config/setting-group.ts";

export const INTERRUPT_MODES = ["always", "prose-only", "tool-only", "never"] as const;
export type InterruptMode = (typeof INTERRUPT_MODES)[number];

export const STREAM_RULE_ROWS = settingGroup("ttsr", "Rules that watch the stream", {
  enabled: flag(true, "Whether a reply that breaks one is noticed while it comes"),
  contextMode: oneOf(
    ["discard", "keep"],
    "discard",
    "Whether what had come of a stopped reply stays in the conversation",
  ),
  interruptMode: oneOf(
    INTERRUPT_MODES,
    "always",
    "What is stopped at once; the rest is reminded of when it is done",
  ),
  repeatMode: oneOf(
    ["once", "after-gap"],
    "once",
    "Whether a rule speaks once in a conversation, or again after a while",
  ),
  repeatGap: amount(10, "After how long", { min: 1, unit: "turns" }),
  disabledRules: list("Names of rules that do not count at all", {
    // Otherwise a repository could silence the user's own rules.
    scope: "user",
  }),
});

export type StreamRuleSettings = GroupValues<typeof STREAM_RULE_ROWS>;

export const DEFAULT_STREAM_RULES: StreamRuleSettings = defaultsOf(STREAM_RULE_ROWS);
