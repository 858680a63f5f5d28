// What a session has used so far, for the status line, `/usage` and clients: tokens, dollars by
// list price, and how full the model's window was with the last reply. All of the log counts, also
// what was left behind in the tree, replies that failed, and calls beside the conversation: it was
// all paid for.

import { costOf, usd } from "@tau/agent/budget";
import type { AssistantMessage, Message } from "@tau/ai/message";
import { FREE, type ModelCost } from "@tau/ai/model";
import type { Usage } from "@tau/ai/usage";
import type { ModelCallRecord } from "../model/aside.ts";
import type { SessionLog } from "./session-log.ts";

/** What a model costs; undefined if nobody knows it here. */
export type PriceList = (provider: string, model: string) => Promise<ModelCost | undefined>;

export class Spend {
  inputTokens = 0;
  outputTokens = 0;
  cachedTokens = 0;
  costUsd = 0;
  replies = 0;
  /** Requests beside the conversation. */
  asides = 0;
  contextTokens = 0;

  add({ usage, stopReason, error }: AssistantMessage, cost: ModelCost): void {
    this.#use(usage, costOf(usage, cost));
    // One that failed is paid for, but is no answer, and says nothing about the window; nor is one that
    // failed and whose next try was stopped.
    const hasFailed = error !== undefined && error.kind !== "aborted";
    if (stopReason === "error" || hasFailed) return;
    this.replies += 1;
    if (tokensIn(usage) > 0) this.contextTokens = tokensIn(usage);
  }

  addCall({ usage, costUsd, requests }: ModelCallRecord): void {
    this.asides += requests;
    this.#use(usage, costUsd);
  }

  /** What was used earlier; the window is not its business. */
  addAll(earlier: Spend): void {
    this.inputTokens += earlier.inputTokens;
    this.outputTokens += earlier.outputTokens;
    this.cachedTokens += earlier.cachedTokens;
    this.costUsd = usd(this.costUsd + earlier.costUsd);
    this.replies += earlier.replies;
    this.asides += earlier.asides;
  }

  /** The conversation is another one, or is shorter: what it fills, not what it has cost. */
  measure(messages: readonly Message[]): void {
    this.contextTokens = contextTokensOf(messages);
  }

  #use(usage: Usage, costUsd: number): void {
    this.inputTokens += usage.input + usage.cacheRead + usage.cacheWrite;
    this.cachedTokens += usage.cacheRead;
    this.outputTokens += usage.output;
    this.costUsd = usd(this.costUsd + costUsd);
  }
}

/** As the last reply measured it. */
export function contextTokensOf(messages: readonly Message[]): number {
  const measured = messages.findLast(
    (message) => message.role === "assistant" && tokensIn(message.usage) > 0,
  );
  return measured?.role === "assistant" ? tokensIn(measured.usage) : 0;
}

/** Of everything that is in the log when it is called. */
export async function spendIn(log: SessionLog, priceOf: PriceList): Promise<Spend> {
  const spend = new Spend();
  const prices = new Map<string, ModelCost>();
  for await (const entry of log.entries()) {
    if (entry.type === "model_call") spend.addCall(entry);
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    const { provider, model } = entry.message;
    const name = `${provider}/${model}`;
    if (!prices.has(name)) prices.set(name, (await priceOf(provider, model)) ?? FREE);
    spend.add(entry.message, prices.get(name)!);
  }
  return spend;
}

function tokensIn({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite;
}
