// A model's failure, as a sentence with a next step and an exit code.

import type { ModelErrorKind, ModelFailure } from "@tau/ai/error";
import { EXIT, type ExitCode } from "../../exit-code.ts";

const NEXT_STEP: Record<ModelErrorKind, string> = {
  auth: "check the key or log in again",
  rate_limit: "wait, or choose another model with --model",
  credit: "add credit at the provider, or choose another model with --model",
  overloaded: "try again in a moment",
  context_overflow:
    "choose a model with a larger context window, or put long text into a file that the model can read in parts",
  invalid_request: "the provider refused the request",
  not_found: "check the model's name and the base URL; `tau models` lists what there is",
  content_filter: "rephrase the prompt",
  network: "check the connection and the base URL",
  timeout: "try again in a moment",
  aborted: "",
  budget: "",
  protocol: "check that the base URL speaks the provider's API",
};

export function describeFailure(failure: ModelFailure | undefined): {
  sentence: string;
  exitCode: ExitCode;
} {
  if (!failure) return { sentence: "the run failed for an unknown reason", exitCode: EXIT.failed };
  const who = whoFailed(failure);
  const what = failure.message.replace(/\s+/g, " ").replace(/\.$/, "");
  // At least a second: a host that refuses does not mean "at once".
  const wait =
    failure.retryAfterMs === undefined
      ? ""
      : `, retry in ${Math.max(1, Math.ceil(failure.retryAfterMs / 1000))} s`;
  const next = NEXT_STEP[failure.kind];
  return {
    sentence: `${who}${what}${wait}${next ? ` (${next})` : ""}`,
    exitCode: failure.kind === "auth" ? EXIT.noCredentials : EXIT.failed,
  };
}

/** `provider/model: `, as far as they are known. */
export function whoFailed({ provider, model }: ModelFailure): string {
  if (provider === undefined) return "";
  return model === undefined ? `${provider}: ` : `${provider}/${model}: `;
}
