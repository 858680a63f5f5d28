// How rules that watch the stream behave.

import { amount, flag, list, oneOf } from "../config/setting.ts";
import { defaultsOf, settingGroup, type GroupValues } from "../config/setting-group.ts";

export const INTERRUPT_MODES = ["always", "prose-only", "tool-only", "never"] as const;
export type InterruptMode = (typeof INTERRUPT_MODES)[number];

export const STREAM_RULE_ROWS = settingGroup("ttsr", "Stream rules", {
  enabled: flag(true, "Whether rules check replies while they stream"),
  contextMode: oneOf(
    ["discard", "keep"],
    "discard",
    "Whether the partial text of an interrupted reply stays in the conversation",
  ),
  interruptMode: oneOf(
    INTERRUPT_MODES,
    "always",
    "Violations that interrupt the reply; others are reminded of afterwards",
  ),
  repeatMode: oneOf(
    ["once", "after-gap"],
    "once",
    "Whether a rule applies once per conversation, or again after a gap",
  ),
  repeatGap: amount(10, "Gap before a rule applies again", { min: 1, unit: "turns" }),
  disabledRules: list("Names of rules that are turned off", {
    // Otherwise a repository could silence the user's own rules.
    scope: "user",
  }),
});

export type StreamRuleSettings = GroupValues<typeof STREAM_RULE_ROWS>;

export const DEFAULT_STREAM_RULES: StreamRuleSettings = defaultsOf(STREAM_RULE_ROWS);
