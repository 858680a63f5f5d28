// How "compatible" hosts differ from OpenAI's own Chat Completions API, as data. The
// defaults are what most hosts accept.

import type { Model } from "../../model.ts";

export interface CompletionsQuirks {
  maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Instructions go as `developer`; elsewhere as `system`. */
  developerRole: boolean;
  /** False: all system text is joined into one first message. */
  manySystemMessages: boolean;
  /** The host takes `prompt_cache_key`. */
  promptCacheKey: boolean;
  /** The host takes `stream_options.include_usage`. */
  streamUsage: boolean;
  reasoningEffort: boolean;
}

const DEFAULTS: CompletionsQuirks = {
  maxTokensField: "max_tokens",
  developerRole: false,
  manySystemMessages: false,
  promptCacheKey: false,
  streamUsage: true,
  reasoningEffort: true,
};

export function quirksOf(model: Model): CompletionsQuirks {
  return model.quirks ? { ...DEFAULTS, ...model.quirks } : DEFAULTS;
}
