// What a session has used so far, for the status line and `/usage`: tokens, dollars by list
// price, and how full the model's window was with the last reply.

import { costOf } from "@tau/agent/budget";
import type { AssistantMessage, Message } from "@tau/ai/message";
import type { ModelCost } from "@tau/ai/model";

export class Spend {
  inputTokens = 0;
  outputTokens = 0;
  cachedTokens = 0;
  costUsd = 0;
  replies = 0;
  contextTokens = 0;

  /** Of an earlier session, from what its context still holds. */
  static of(messages: readonly Message[], cost: ModelCost): Spend {
    const spend = new Spend();
    for (const message of messages) if (message.role === "assistant") spend.add(message, cost);
    return spend;
  }

  add({ usage }: AssistantMessage, cost: ModelCost): void {
    const read = usage.input + usage.cacheRead + usage.cacheWrite;
    this.replies += 1;
    this.inputTokens += read;
    this.cachedTokens += usage.cacheRead;
    this.outputTokens += usage.output;
    this.costUsd += costOf(usage, cost);
    // A reply that failed before it began says nothing about the window.
    if (read + usage.output > 0) this.contextTokens = read + usage.output;
  }
}
