// A model that an embedding program brings along: it is called as given, without credentials
// of ours, and there is nothing to fall back to.

import type { ModelCaller } from "@tau/agent/model-caller";
import { DEFAULT_RETRY } from "@tau/ai/failure-policy";
import type { Model, ThinkingLevel } from "@tau/ai/model";
import { ModelLine, type LineOptions } from "./model-line.ts";

export function lineTo(
  own: { model: Model; call: ModelCaller },
  { thinking, redactor }: { thinking?: ThinkingLevel } & Pick<LineOptions, "redactor">,
): ModelLine {
  return new ModelLine({
    chain: [thinking === undefined ? { model: own.model } : { model: own.model, thinking }],
    call: (request, { signal }) => own.call(request, { signal }),
    credentials: NO_CREDENTIALS,
    settings: DEFAULT_RETRY,
    revert: "never",
    sessionId: crypto.randomUUID(),
    redactor,
  });
}

const NO_CREDENTIALS: LineOptions["credentials"] = {
  has: () => false,
  get: async () => undefined,
  refresh: async () => undefined,
  rotate: async () => undefined,
};
