// How "compatible" hosts differ from OpenAI's own Chat Completions API, as data. The
// defaults are what most hosts accept. The names are those of `compat` in a user's model
// configuration, so that a row and a user say the same thing with the same word.

import type { Model } from "../../model.ts";
import { asObject, type Json } from "../json.ts";
import type { EffortMap } from "../thinking-effort.ts";

export type ThinkingFormat = "openai" | "openrouter" | "zai" | "qwen" | "qwen-chat-template";

export interface GatewayRouting {
  only?: readonly string[];
  order?: readonly string[];
}

export interface CompletionsQuirks {
  // What the request as a whole may carry.
  /** The host takes `store`; every request then says `store: false`. */
  supportsStore: boolean;
  /** Instructions to a thinking model go as `developer`; otherwise as `system`. */
  supportsDeveloperRole: boolean;
  /** False: all system text is joined into one first message. */
  supportsMultipleSystemMessages: boolean;
  /** The host takes `stream_options.include_usage`. */
  supportsUsageInStreaming: boolean;
  maxTokensField: "max_tokens" | "max_completion_tokens";
  /** The host counts its limits on the field, so it is sent even where nobody asked. */
  alwaysSendMaxTokens: boolean;
  /** The host takes `prompt_cache_key`. */
  supportsPromptCacheKey: boolean;
  /** The host honours `prompt_cache_retention: "24h"`. */
  supportsLongPromptCacheRetention: boolean;
  /** Marks where a prompt cache should end, for hosts in front of Anthropic models. */
  cacheControlFormat?: "anthropic";
  supportsToolChoice: boolean;
  /** The host takes `service_tier`. */
  supportsServiceTier: boolean;
  /** Merged into every body; never over what the conversation decides. */
  extraBody?: Json;

  // How thinking is asked for and given back.
  supportsReasoningEffort: boolean;
  /** The model takes `temperature` and `top_p` while it thinks. */
  supportsSamplingWhileThinking: boolean;
  /** False: nothing about reasoning is sent in any form. */
  supportsReasoningParams: boolean;
  reasoningEffortMap: EffortMap;
  thinkingFormat: ThinkingFormat;
  /** No reasoning fields where a call is forced. */
  disableReasoningOnForcedToolChoice: boolean;
  /** No reasoning fields where any `tool_choice` is sent. */
  disableReasoningOnToolChoice: boolean;
  reasoningContentField: "reasoning_content" | "reasoning" | "reasoning_text";
  /** Turns with tool calls must come back with their reasoning. */
  requiresReasoningContentForToolCalls: boolean;
  /** A turn whose own reasoning is not at hand may carry something in its place. */
  allowsSyntheticReasoningContentForToolCalls: boolean;
  /** Turns with tool calls need some text beside them. */
  requiresAssistantContentForToolCalls: boolean;

  // How messages and tools must look.
  requiresToolResultName: boolean;
  /** A user's message must not follow a tool result directly. */
  requiresAssistantAfterToolResult: boolean;
  /** Thinking goes back as marked text. */
  requiresThinkingAsText: boolean;
  /** Tool-call ids are exactly nine alphanumerics. */
  requiresMistralToolIds: boolean;
  /** The host takes `strict` on tools. */
  supportsStrictMode: boolean;
  toolStrictMode?: "all_strict" | "none";
  /** A user's way of doing without strict tools at all. */
  disableStrictTools: boolean;

  // Which upstream a gateway should take; ignored at any other host.
  openRouterRouting?: GatewayRouting;
  vercelGatewayRouting?: GatewayRouting;

  /** Laid over the rest while thinking is on. */
  whenThinking?: Partial<Omit<CompletionsQuirks, "whenThinking">>;
}

const DEFAULTS: CompletionsQuirks = {
  supportsStore: false,
  supportsDeveloperRole: false,
  supportsMultipleSystemMessages: false,
  supportsUsageInStreaming: true,
  maxTokensField: "max_tokens",
  alwaysSendMaxTokens: false,
  supportsPromptCacheKey: false,
  supportsLongPromptCacheRetention: false,
  supportsToolChoice: true,
  supportsServiceTier: false,
  supportsSamplingWhileThinking: true,
  supportsReasoningEffort: true,
  supportsReasoningParams: true,
  reasoningEffortMap: {},
  thinkingFormat: "openai",
  disableReasoningOnForcedToolChoice: false,
  disableReasoningOnToolChoice: false,
  reasoningContentField: "reasoning_content",
  requiresReasoningContentForToolCalls: false,
  allowsSyntheticReasoningContentForToolCalls: true,
  requiresAssistantContentForToolCalls: false,
  requiresToolResultName: false,
  requiresAssistantAfterToolResult: false,
  requiresThinkingAsText: false,
  requiresMistralToolIds: false,
  supportsStrictMode: false,
  disableStrictTools: false,
};

export function quirksOf(model: Model, options: { thinking: boolean }): CompletionsQuirks {
  if (!model.quirks) return DEFAULTS;
  const quirks = overlay(DEFAULTS, model.quirks);
  return options.thinking && quirks.whenThinking ? overlay(quirks, quirks.whenThinking) : quirks;
}

/** Nested objects (routing, extra body, effort map) merge; everything else is replaced. */
function overlay(base: CompletionsQuirks, over: Readonly<Record<string, unknown>>) {
  const merged: Json = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const below = asObject(merged[key]);
    const above = asObject(value);
    merged[key] = below && above ? { ...below, ...above } : value;
  }
  return merged as unknown as CompletionsQuirks;
}
