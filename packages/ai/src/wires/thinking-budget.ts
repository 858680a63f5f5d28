// Thinking levels as token budgets, for the vendors that count thinking in tokens. Both
// count it as output, so a budget is only worth anything with room left behind it.

import type { ThinkingLevel } from "../model.ts";

/** Tokens. */
export const THINKING_BUDGET: Record<Exclude<ThinkingLevel, "off">, number> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
};

/** The smallest budget a vendor accepts, in tokens; below it there is no thinking at all. */
const MIN_BUDGET = 1024;

/** What stays for the answer where the model's limit forces the budget down, in tokens. */
const ANSWER_ROOM = 1024;

export interface FittedBudget {
  maxOutput: number;
  /** Absent where the model's output limit leaves no room to think in. */
  budget?: number;
}

/**
 * Fits a budget into the output limit: the limit is raised first, because a caller's
 * `wanted` speaks of the answer, then the budget is lowered to what the model can give.
 */
export function fitBudget(budget: number, wanted: number, modelLimit: number): FittedBudget {
  const maxOutput =
    wanted > budget ? wanted : Math.max(wanted, Math.min(modelLimit, budget + wanted));
  if (maxOutput > budget) return { maxOutput, budget };
  const lowered = maxOutput - ANSWER_ROOM;
  return lowered < MIN_BUDGET ? { maxOutput: wanted } : { maxOutput, budget: lowered };
}

export function levelOfBudget(budget: number): ThinkingLevel {
  if (budget <= 0) return "off";
  for (const [level, tokens] of Object.entries(THINKING_BUDGET)) {
    if (budget <= tokens) return level as ThinkingLevel;
  }
  return "xhigh";
}
