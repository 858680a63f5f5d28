// What is being done about a failed call, in one line for whoever waits.

import type { RecoveryEvent } from "@tau/agent/event";
import { whoFailed } from "./describe-failure.ts";

/** Shorter waits are over before they are read. */
const WORTH_TELLING_MS = 1000;

/** Undefined if there is nothing worth a line. */
export function describeRecovery(event: RecoveryEvent): string | undefined {
  // What nobody waits for did not break anything that anybody sees.
  if (event.type === "auto_retry_end" || event.isQuiet) return undefined;
  const { action, delayMs, failure, model, purpose } = event;
  const what = `${purposeWords(purpose)}${whoFailed(failure)}${failure.message.replace(/\s+/g, " ").replace(/\.$/, "")}`;
  switch (action) {
    case "wait":
      if (delayMs < WORTH_TELLING_MS) return undefined;
      return `${what}; retrying in ${Math.ceil(delayMs / 1000)} s`;
    case "rotate":
      return `${what}; continuing with another account`;
    case "fallback":
      return `${what}; continuing with ${model}`;
    case "refresh":
      return undefined;
  }
}

/** So that a summary that fails does not look like the conversation itself. */
function purposeWords(purpose: string | undefined): string {
  return purpose === undefined ? "" : `${purpose.replaceAll("_", " ")}: `;
}
