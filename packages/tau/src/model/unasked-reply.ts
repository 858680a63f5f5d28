// What stands for the reply of a model that was not asked, and for a failure that gave no reason.

import type { BudgetRefusal } from "@tau/agent/budget";
import { modelFailure, type ModelFailure } from "@tau/ai/error";
import type { AssistantMessage } from "@tau/ai/message";
import { emptyUsage } from "@tau/ai/usage";
import type { ModelTarget } from "./model-target.ts";

export const STOPPED = modelFailure("aborted", "Stopped before the model was called.");

export function refused({ limit }: BudgetRefusal): ModelFailure {
  return modelFailure(
    "budget",
    `The limit of ${limit} has been reached; raise it to call a model again.`,
  );
}

export function failureOf(reply: AssistantMessage): ModelFailure {
  return reply.error ?? modelFailure("protocol", "The reply failed for an unknown reason.");
}

export function unasked({ model }: ModelTarget, error: ModelFailure): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    provider: model.provider,
    model: model.id,
    wire: model.wire,
    stopReason: error.kind === "aborted" ? "aborted" : "error",
    usage: emptyUsage(),
    error,
    timestamp: Date.now(),
  };
}
