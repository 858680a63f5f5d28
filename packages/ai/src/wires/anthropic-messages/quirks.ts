// How models and hosts differ from the plain Messages API, as data. The defaults are
// what the oldest models that think accept; newer ones say what they dropped. Where a
// user's model configuration has a word for it, the word is the same here.

import type { Model, ThinkingLevel } from "../../model.ts";
import type { Json } from "../json.ts";

export interface AnthropicQuirks {
  /** `budget`: a number of tokens. `adaptive`: the model decides, guided by an effort. */
  thinkingStyle: "budget" | "adaptive";
  /** A user's way of going back to budgets. */
  disableAdaptiveThinking: boolean;
  /** The effort sent for a level where the style is adaptive. */
  reasoningEffortMap: Readonly<Record<Exclude<ThinkingLevel, "off">, string>>;
  /** The model thinks unless told not to, so `off` has to be said. */
  thinksByDefault: boolean;
  /** A budget-style model may think between tool calls; needs a beta header. */
  interleavedThinking: boolean;
  /** The host gives thinking without signatures and wants it back that way. */
  replayUnsignedThinking: boolean;
  /** False: a tool that has to be called is only recommended. */
  supportsForcedToolChoice: boolean;
  /** The host takes `temperature` and `top_p`. */
  supportsSamplingParams: boolean;
  /**
   * The model takes `strict` on tools. Older ones and many proxies refuse a request that has it, so
   * it is for the user to say.
   */
  supportsStrictMode: boolean;
  /** Never `strict`, whatever else says so. */
  disableStrictTools: boolean;
  /** The conversation may end with the assistant's own words. */
  supportsPrefill: boolean;
  /** The host takes `service_tier`. */
  supportsServiceTier: boolean;
  /** The host takes `cache_control`. */
  supportsCacheControl: boolean;
  /** The host keeps a cached prompt for an hour where asked to. */
  supportsLongCacheRetention: boolean;
  /** The host wants results to repeat the call's id as their own. */
  requiresToolResultId: boolean;
  /** Further values of the `anthropic-beta` header. */
  betas: readonly string[];
  /** Merged into every body; never over what the conversation decides. */
  extraBody?: Json;
}

const DEFAULTS: AnthropicQuirks = {
  thinkingStyle: "budget",
  disableAdaptiveThinking: false,
  reasoningEffortMap: {
    minimal: "low",
    low: "low",
    medium: "medium",
    high: "high",
    xhigh: "xhigh",
  },
  thinksByDefault: false,
  interleavedThinking: true,
  replayUnsignedThinking: false,
  supportsForcedToolChoice: true,
  supportsSamplingParams: true,
  supportsStrictMode: false,
  disableStrictTools: false,
  supportsPrefill: true,
  supportsServiceTier: false,
  supportsCacheControl: true,
  supportsLongCacheRetention: false,
  requiresToolResultId: false,
  betas: [],
};

export function quirksOf(model: Model): AnthropicQuirks {
  if (!model.quirks) return DEFAULTS;
  const quirks: AnthropicQuirks = { ...DEFAULTS, ...model.quirks };
  quirks.reasoningEffortMap = { ...DEFAULTS.reasoningEffortMap, ...quirks.reasoningEffortMap };
  if (quirks.disableAdaptiveThinking) quirks.thinkingStyle = "budget";
  return quirks;
}
