// Deviations that several hosts share, named once.

/**
 * Milliseconds of silence that are no failure yet: these hosts say nothing at all while a
 * hard question is thought about, for minutes.
 */
const SILENT_THINKING_MS = 300_000;

export const SLOW_THINKER = { streamIdleTimeoutMs: SILENT_THINKING_MS };

/** Thinking is on or off: `thinking: { type }`. */
export const THINKING_SWITCH = { thinkingFormat: "zai", supportsReasoningEffort: false };

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

/** Anthropic's models behind a gateway that hands cache markers on. */
export const ANTHROPIC_CACHE_MARKERS = {
  models: /^~?anthropic\//,
  quirks: { cacheControlFormat: "anthropic", disableReasoningOnForcedToolChoice: true },
};
