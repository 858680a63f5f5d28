// Adds up what one question cost: a record for every model that was asked, because one may have
// failed before another answered, at another price.

import { costOf, usd } from "@tau/agent/budget";
import type { AssistantMessage } from "@tau/ai/message";
import { emptyUsage, type Usage } from "@tau/ai/usage";
import type { ModelCallRecord } from "./aside.ts";
import { nameOfTarget, type ModelTarget } from "./model-target.ts";

export class CallTally {
  readonly #purpose: string;
  readonly #records = new Map<string, ModelCallRecord>();

  constructor(purpose: string) {
    this.#purpose = purpose;
  }

  /** In the order in which they were asked first. */
  get records(): readonly ModelCallRecord[] {
    return [...this.#records.values()];
  }

  add(target: ModelTarget, { usage, stopReason }: AssistantMessage): void {
    const name = nameOfTarget(target);
    const before = this.#records.get(name);
    this.#records.set(name, {
      purpose: this.#purpose,
      model: name,
      usage: sum(before?.usage ?? emptyUsage(), usage),
      costUsd: usd((before?.costUsd ?? 0) + costOf(usage, target.model.cost)),
      requests: (before?.requests ?? 0) + 1,
      outcome: outcomeOf(stopReason),
    });
  }
}

function outcomeOf(stopReason: AssistantMessage["stopReason"]): ModelCallRecord["outcome"] {
  if (stopReason === "aborted") return "aborted";
  return stopReason === "error" ? "failed" : "done";
}

function sum(a: Usage, b: Usage): Usage {
  const total: Usage = {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
  const reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0);
  if (reasoning > 0) total.reasoning = reasoning;
  return total;
}
