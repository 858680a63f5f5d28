// What a run and all runs it starts may spend together. A budget refuses the next model
// call; it never cuts one that is under way, so it is exceeded by at most what was already
// being asked when it ran out.

import type { ModelCost } from "@tau/ai/model";
import type { Usage } from "@tau/ai/usage";
import type { LimitKind } from "./event.ts";

export interface BudgetLimits {
  /** Model calls, failed ones too. */
  requests?: number;
  /** All that was sent and received, cached or not. */
  tokens?: number;
  /** US dollars by the model's list price. */
  costUsd?: number;
  /** From the moment the budget was made. */
  wallClockMs?: number;
}

export interface BudgetPlace {
  parent?: Budget;
  /** Whose limits they are, for whoever is refused: an agent that spends its parent's has to know which. */
  owner?: string;
  now?: () => number;
}

export interface BudgetRefusal {
  kind: Extract<LimitKind, "requests" | "tokens" | "cost" | "time">;
  /** Words that follow "the limit of". */
  limit: string;
}

const TOKENS_PER_PRICE = 1_000_000;

export class Budget {
  readonly #limits: BudgetLimits;
  readonly #parent: Budget | undefined;
  readonly #owner: string | undefined;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #spent = { requests: 0, tokens: 0, costUsd: 0 };

  constructor(limits: BudgetLimits, options: BudgetPlace = {}) {
    this.#limits = limits;
    this.#parent = options.parent;
    this.#owner = options.owner;
    this.#now = options.now ?? Date.now;
    this.#startedAt = this.#now();
  }

  /** For a run within this one: what it spends counts here too, and both may refuse. */
  child(limits: BudgetLimits = {}, owner?: string): Budget {
    return new Budget(limits, { parent: this, owner, now: this.#now });
  }

  get spent(): { requests: number; tokens: number; costUsd: number; wallClockMs: number } {
    return { ...this.#spent, wallClockMs: this.#now() - this.#startedAt };
  }

  /** Counts one model call, or says which limit forbids it. */
  admit(): BudgetRefusal | undefined {
    const refusal = this.refusal();
    if (refusal) return refusal;
    for (const budget of this.#chain()) budget.#spent.requests++;
    return undefined;
  }

  refusal(): BudgetRefusal | undefined {
    for (const budget of this.#chain()) {
      const refusal = budget.#ownRefusal();
      if (refusal) return refusal;
    }
    return undefined;
  }

  /** What a call used, once it has ended in whatever way. */
  spend(usage: Usage, cost: ModelCost): void {
    const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
    const costUsd = costOf(usage, cost);
    for (const budget of this.#chain()) {
      budget.#spent.tokens += tokens;
      budget.#spent.costUsd = usd(budget.#spent.costUsd + costUsd);
    }
  }

  #ownRefusal(): BudgetRefusal | undefined {
    const refusal = this.#exceeded();
    if (!refusal || this.#owner === undefined) return refusal;
    return { ...refusal, limit: `${refusal.limit} for ${this.#owner}` };
  }

  #exceeded(): BudgetRefusal | undefined {
    const { requests, tokens, costUsd, wallClockMs } = this.#limits;
    const { spent } = this;
    if (requests !== undefined && spent.requests >= requests) {
      return { kind: "requests", limit: `${requests} model calls` };
    }
    if (tokens !== undefined && spent.tokens >= tokens) {
      return { kind: "tokens", limit: `${tokens} tokens` };
    }
    if (costUsd !== undefined && spent.costUsd >= costUsd) {
      return { kind: "cost", limit: `$${costUsd}` };
    }
    if (wallClockMs !== undefined && spent.wallClockMs >= wallClockMs) {
      return { kind: "time", limit: `${wallClockMs / 1000} s` };
    }
    return undefined;
  }

  /** This one and those above it. */
  #chain(): Budget[] {
    return this.#parent ? [this, ...this.#parent.#chain()] : [this];
  }
}

/** US dollars for one reply. */
export function costOf(usage: Usage, cost: ModelCost): number {
  const sum =
    usage.input * cost.input +
    usage.output * cost.output +
    usage.cacheRead * cost.cacheRead +
    usage.cacheWrite * cost.cacheWrite;
  return usd(sum / TOKENS_PER_PRICE);
}

/** A billionth of a dollar is less than any token costs: what is below it is noise of the arithmetic. */
const UNITS_PER_USD = 1e9;

/** An amount as it is told and written down; sums of such amounts are rounded again. */
export function usd(amount: number): number {
  return Math.round(amount * UNITS_PER_USD) / UNITS_PER_USD;
}
