// What is being done about a failed call, in one line for whoever waits.

import type { RecoveryEvent } from "@tau/agent/event";

/** Shorter waits are over before they are read. */
const WORTH_TELLING_MS = 1000;

/** Undefined where there is nothing worth a line. */
export function describeRecovery(event: RecoveryEvent): string | undefined {
  if (event.type === "auto_retry_end") return undefined;
  const { action, delayMs, failure, model } = event;
  const who = failure.provider ? `${failure.provider}: ` : "";
  const what = `${who}${failure.message.replace(/\s+/g, " ").replace(/\.$/, "")}`;
  switch (action) {
    case "wait":
      if (delayMs < WORTH_TELLING_MS) return undefined;
      return `${what}; trying again in ${Math.ceil(delayMs / 1000)} s`;
    case "rotate":
      return `${what}; going on with another account`;
    case "fallback":
      return `${what}; going on with ${model}`;
    case "refresh":
      return undefined;
  }
}
