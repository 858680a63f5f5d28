// A model that an embedding program brings along: it is called as given, without credentials
// of ours, and there is nothing to fall back to.

import type { ModelCaller } from "@tau/agent/model-caller";
import { DEFAULT_RETRY } from "@tau/ai/failure-policy";
import type { Model, ThinkingLevel } from "@tau/ai/model";
import { ModelRecovery, type RecoveryOptions } from "../features/retry/model-recovery.ts";

export function recoveryFor(
  own: { model: Model; call: ModelCaller },
  options: { thinking?: ThinkingLevel | undefined; emit: RecoveryOptions["emit"] },
): ModelRecovery {
  const { thinking, emit } = options;
  return new ModelRecovery({
    chain: [{ model: own.model, ...(thinking === undefined ? {} : { thinking }) }],
    call: (request, { signal }) => own.call(request, { signal }),
    credentials: NO_CREDENTIALS,
    settings: DEFAULT_RETRY,
    revert: "never",
    sessionId: crypto.randomUUID(),
    emit,
  });
}

const NO_CREDENTIALS: RecoveryOptions["credentials"] = {
  has: () => false,
  get: async () => undefined,
  refresh: async () => undefined,
  rotate: async () => undefined,
};
