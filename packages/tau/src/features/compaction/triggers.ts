// When to compact, and what is to happen around it. Pure decisions on facts that the session
// has at hand; who acts on them tries a larger model first.

import type { AssistantMessage, Message } from "@tau/ai/message";
import type { Model } from "@tau/ai/model";
import type { ToolSpec } from "@tau/ai/request";
import { messagesTokens, messageTokens, overheadTokens } from "../../base/message-tokens.ts";
import { measuredTokens } from "./estimate-tokens.ts";
import type { CompactionSettings } from "./settings.ts";

export type CompactionReason = "manual" | "threshold" | "overflow" | "incomplete" | "idle";

/** Room for a long reply and its thinking, as a share of the window. */
const RESERVED_SHARE = 0.15;

/** The number of tokens from which on the conversation is to be compacted. */
export function thresholdTokens(
  contextWindow: number,
  settings: Pick<CompactionSettings, "reserveTokens" | "thresholdPercent" | "thresholdTokens">,
): number {
  if (settings.thresholdTokens > 0) return Math.min(settings.thresholdTokens, contextWindow);
  if (settings.thresholdPercent > 0) {
    return Math.floor((contextWindow * Math.min(settings.thresholdPercent, 100)) / 100);
  }
  const reserved = Math.max(contextWindow * RESERVED_SHARE, settings.reserveTokens);
  // A window smaller than the reserve still has to hold something.
  return Math.max(Math.floor(contextWindow - reserved), Math.floor(contextWindow / 2));
}

export interface TurnFacts {
  reply: AssistantMessage;
  /** The model in use now. */
  model: Model;
  contextTokens: number;
  settings: CompactionSettings;
}

export type Maintenance =
  | { type: "none" }
  /** Recovery is switched off. */
  | { type: "give_up"; reason: CompactionReason }
  | {
      type: "compact";
      reason: CompactionReason;
      /** The reply is left behind by a leaf move before anything else. */
      discardsReply: boolean;
      /** The turn is asked for again afterwards. */
      retries: boolean;
      /** The model is told to go on with what it was doing. */
      continues: boolean;
    };

const NONE: Maintenance = { type: "none" };

/** After every reply that is newer than the latest compaction. */
export function decideAfterReply(facts: TurnFacts): Maintenance {
  const { reply, model, settings } = facts;
  const isOff = !settings.enabled || settings.strategy === "off";
  const isSameModel = reply.provider === model.provider && reply.model === model.id;
  if (reply.error?.kind === "context_overflow") {
    // Another model's overflow says nothing about the window of this one.
    if (!isSameModel) return NONE;
    return recovery("overflow", isOff);
  }
  if (reply.stopReason === "length" && isSameModel && wasCutByWindow(reply, model)) {
    return recovery("incomplete", isOff);
  }
  if (isOff || reply.stopReason === "error" || reply.stopReason === "aborted") return NONE;
  if (facts.contextTokens <= thresholdTokens(model.contextWindow, settings)) return NONE;
  const continues = settings.autoContinue && reply.stopReason !== "stop";
  return { type: "compact", reason: "threshold", discardsReply: false, retries: false, continues };
}

function recovery(reason: "overflow" | "incomplete", isImpossible: boolean): Maintenance {
  if (isImpossible) return { type: "give_up", reason };
  return { type: "compact", reason, discardsReply: true, retries: true, continues: false };
}

/**
 * A reply that ran into its own limit with room to spare in the window would be cut again
 * after a compaction, which would have cost the history for nothing.
 */
export function wasCutByWindow(reply: AssistantMessage, model: Model): boolean {
  const total = measuredTokens(reply);
  if (total === 0) return true;
  return total - reply.usage.output + model.maxOutput > model.contextWindow;
}

/** A message of the current turn that takes more of the window than this is not made shorter by a summary. */
const LARGE_SHARE = 1 / 4;

export interface OverflowFacts {
  messages: readonly Message[];
  model: Model;
  system: readonly string[];
  tools: readonly ToolSpec[];
  settings: CompactionSettings;
}

/** Whether what does not fit is in the turn that a summary keeps, and the rest is short enough. */
export function isOneTooLarge(facts: OverflowFacts): boolean {
  const { messages, model, system, tools, settings } = facts;
  const most = model.contextWindow * LARGE_SHARE;
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === "user"));
  const large = turn.filter((one) => one.role !== "assistant" && messageTokens(one) > most);
  if (large.length === 0) return false;
  const rest = overheadTokens(system, tools) + messagesTokens(messages) - messagesTokens(large);
  return rest <= thresholdTokens(model.contextWindow, settings);
}

export interface IdleFacts {
  contextTokens: number;
  idleMs: number;
  settings: CompactionSettings;
}

export function decideWhenIdle({ contextTokens, idleMs, settings }: IdleFacts): Maintenance {
  const isDue =
    settings.enabled &&
    settings.strategy !== "off" &&
    settings.idleEnabled &&
    contextTokens > settings.idleThresholdTokens &&
    idleMs >= settings.idleTimeoutSeconds * 1000;
  if (!isDue) return NONE;
  return {
    type: "compact",
    reason: "idle",
    discardsReply: false,
    retries: false,
    continues: false,
  };
}
