// How hosts of the Responses API differ from OpenAI's own, as data. The defaults are
// OpenAI's. History is always strictly paired, so hosts that insist on it need no flag.

import type { Model } from "../../model.ts";
import type { Json } from "../json.ts";
import type { EffortMap } from "../thinking-effort.ts";

export interface ResponsesQuirks {
  /** Instructions in mid-conversation go as `developer`; elsewhere as `system`. */
  supportsDeveloperRole: boolean;
  /** The host takes `store`; every request then says `store: false`. */
  supportsStore: boolean;
  /** The host takes `prompt_cache_key`. */
  supportsPromptCacheKey: boolean;
  /** The host honours `prompt_cache_retention: "24h"`. */
  supportsLongPromptCacheRetention: boolean;
  /** The host can hand out reasoning as encrypted text. */
  supportsEncryptedReasoning: boolean;
  /** The host takes reasoning back as plain text (models that run locally). */
  replaysPlainReasoning: boolean;
  /** The model takes `temperature` and `top_p` while it thinks. */
  supportsSamplingWhileThinking: boolean;
  /** Whether request shaping may send `reasoning` at all. */
  supportsReasoningParams: boolean;
  reasoningSummary: "auto" | "concise" | "detailed" | "none";
  reasoningEffortMap: EffortMap;
  supportsToolChoice: boolean;
  /** The host takes `service_tier`. */
  supportsServiceTier: boolean;
  /** The host takes `strict: true` on tools. */
  supportsStrictMode: boolean;
  /** A user's way of doing without strict tools at all. */
  disableStrictTools: boolean;
  /** Merged into every body; never over what the conversation decides. */
  extraBody?: Json;
}

const DEFAULTS: ResponsesQuirks = {
  supportsDeveloperRole: true,
  supportsStore: true,
  supportsPromptCacheKey: true,
  supportsLongPromptCacheRetention: false,
  supportsEncryptedReasoning: true,
  replaysPlainReasoning: false,
  supportsSamplingWhileThinking: true,
  supportsReasoningParams: true,
  reasoningSummary: "auto",
  reasoningEffortMap: {},
  supportsToolChoice: true,
  supportsServiceTier: false,
  supportsStrictMode: false,
  disableStrictTools: false,
};

export function quirksOf(model: Model): ResponsesQuirks {
  return model.quirks ? { ...DEFAULTS, ...model.quirks } : DEFAULTS;
}
