// One question to the conversation's own model, for a text: a summary, a note about a branch.

import { ModelError, modelFailure } from "@tau/ai/error";
import { textOf } from "@tau/ai/message";
import type { SessionHost } from "../../session/session-host.ts";
import type { AskRequest } from "./strategy.ts";

/** Rejects with a `ModelError`. */
export function askForText(
  host: Pick<SessionHost, "model" | "call">,
  signal: AbortSignal,
): (request: AskRequest) => Promise<string> {
  return async ({ maxOutput, ...request }) => {
    const { model } = host;
    const whole = { tools: [], ...request, model, maxOutput, stream: true };
    const reply = await host.call(whole, { signal }).result();
    if (reply.error) throw new ModelError(reply.error);
    if (reply.stopReason === "aborted") throw new ModelError(modelFailure("aborted", "Aborted."));
    return textOf(reply);
  };
}
