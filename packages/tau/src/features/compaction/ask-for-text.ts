// One question to the conversation's own model, for a text: a summary, a note about a branch.

import { ModelError, modelFailure } from "@tau/ai/error";
import { textOf } from "@tau/ai/message";
import type { AskOptions } from "../../model/aside.ts";
import type { SessionHost } from "../../session/session-host.ts";
import type { AskRequest } from "./strategy.ts";

/** Rejects with a `ModelError`. */
export function askForText(
  host: Pick<SessionHost, "line">,
  options: AskOptions,
): (request: AskRequest) => Promise<string> {
  return async (request) => {
    const reply = await host.line.ask(request, options);
    if (reply.error) throw new ModelError(reply.error);
    if (options.signal.aborted) throw new ModelError(modelFailure("aborted", "Aborted."));
    return textOf(reply);
  };
}
