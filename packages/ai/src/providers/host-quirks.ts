// Deviations that several hosts share, named once.

import type { ProviderRow } from "../provider-row.ts";

/**
 * Milliseconds of silence that are no failure yet: these hosts say nothing at all while a
 * hard question is thought about, for minutes.
 */
const SILENT_THINKING_MS = 300_000;

export const SLOW_THINKER = { streamIdleTimeoutMs: SILENT_THINKING_MS };

/** Thinking is on or off: `thinking: { type }`. */
export const THINKING_SWITCH = { thinkingFormat: "zai", supportsReasoningEffort: false };

/** Kimi over Chat Completions, from its maker and on its plan. */
export const KIMI_CHAT = {
  ...THINKING_SWITCH,
  supportsPromptCacheKey: true,
  alwaysSendMaxTokens: true,
  disableReasoningOnForcedToolChoice: true,
  requiresAssistantContentForToolCalls: true,
  whenThinking: { requiresReasoningContentForToolCalls: true },
};

/** The same switch turns it off, but an effort turns it on. */
export const EFFORT_OR_SWITCH = {
  thinkingFormat: "zai",
  whenThinking: { thinkingFormat: "openai" },
};

/** Gateways that take `reasoning: { effort }` and hand thoughts out as `reasoning`. */
export const REASONING_OBJECT = {
  thinkingFormat: "openrouter",
  reasoningContentField: "reasoning",
  whenThinking: { requiresReasoningContentForToolCalls: true },
};

/** The numbers that Zhipu, at home and as Z.AI, gives its errors. */
export const ZHIPU_CODES = {
  "1113": "credit",
  "1211": "not_found",
  "1261": "context_overflow",
  "1301": "content_filter",
  "1302": "rate_limit",
} as const satisfies ProviderRow["failureCodes"];

/** Model Studio's, on its plans and portals. */
export const ALIBABA_CODES = {
  Arrearage: "credit",
  "AccessDenied.Unpurchased": "credit",
  ModelNotFound: "not_found",
  "Throttling.AllocationQuota": "rate_limit",
} as const satisfies ProviderRow["failureCodes"];

/** Anthropic's models behind a gateway that hands cache markers on. */
export const ANTHROPIC_CACHE_MARKERS = {
  models: /^~?anthropic\//,
  quirks: { cacheControlFormat: "anthropic", disableReasoningOnForcedToolChoice: true },
};
