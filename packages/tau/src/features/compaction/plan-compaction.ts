// From what a strategy was given to where it cuts: measures the context, works out how much
// of its end to keep, and plans the cut.

import type { CompactionPlan } from "@tau/agent/session-hook-points";
import { buildContext, type Context } from "../../session/context/build-context.ts";
import { messagesOf } from "../../session/context/entry-messages.ts";
import { messagesTokens, overheadTokens } from "../../base/message-tokens.ts";
import { contextTokens, usageRatio } from "./estimate-tokens.ts";
import { keepBudget, planCut, type CutPlan } from "./plan-cut.ts";
import type { CompactionInput } from "./strategy.ts";

export interface ContextMeasure {
  context: Context;
  /** Estimated, with the system prompt and tools. */
  estimatedTokens: number;
  overhead: number;
  /** As measured by the last reply, where there is one. */
  tokens: number;
  ratio: number;
}

export function measureContext(
  input: Pick<CompactionInput, "branch" | "system" | "tools">,
): ContextMeasure {
  const context = buildContext(input.branch);
  const overhead = overheadTokens(input.system, input.tools);
  return {
    context,
    overhead,
    estimatedTokens: overhead + messagesTokens(context.messages),
    tokens: contextTokens(context, overhead),
    ratio: usageRatio(context, overhead),
  };
}

type Planned = Pick<
  CompactionInput,
  "branch" | "system" | "tools" | "settings" | "model" | "reason"
>;

export function planCompaction(input: Planned): CutPlan | undefined {
  const measure = measureContext(input);
  const keepTokens = keepBudget({
    settings: input.settings,
    contextWindow: input.model.contextWindow,
    ratio: measure.ratio,
    estimatedTokens: measure.estimatedTokens - measure.overhead,
    reason: input.reason,
  });
  return planCut(input.branch, { keepTokens });
}

/** The same cut for whoever may bring a compaction of their own; undefined if there is nothing to cut. */
export function foreseenCompaction(input: Planned): CompactionPlan | undefined {
  const cut = planCompaction(input);
  if (!cut) return undefined;
  return {
    firstKeptEntryId: cut.firstKeptEntryId,
    messages: [...cut.history, ...cut.turnPrefix].flatMap((entry) => messagesOf(entry)),
    previousSummary: cut.previous?.summary,
    tokensBefore: measureContext(input).tokens,
  };
}
