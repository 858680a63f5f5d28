// What stands for the reply of a model that was not asked, and for a failure that gave no reason.

import type { BudgetRefusal } from "@tau/agent/budget";
import { ModelError, modelFailure, type ModelFailure } from "@tau/ai/error";
import type { AssistantMessage } from "@tau/ai/message";
import type { Model } from "@tau/ai/model";
import { ReplyAssembler } from "@tau/ai/reply-assembler";
import { ReplyStream } from "@tau/ai/reply-stream";
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

/** For a request that could not be made ready: by a failure of the user's own, or by a bug. */
export function failedReply({ provider, id, wire }: Model, error: unknown): ReplyStream {
  const stream = new ReplyStream();
  const reason = error instanceof Error ? error.message : String(error);
  const failure =
    error instanceof ModelError
      ? error.failure
      : modelFailure("protocol", `Unexpected failure: ${reason}`, { retryable: false });
  new ReplyAssembler({ provider, model: id, wire }, stream.push).fail(failure);
  return stream;
}
