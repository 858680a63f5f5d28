// The words of `compat` in a user's model configuration, and what each may be. The compiler wants a
// row for every quirk of every wire, so that none is taken that nobody understands.

import { DIALECT_IDS } from "../dialects/dialect.ts";
import type { ImageLimits } from "../image-limits.ts";
import type { AnthropicQuirks } from "./anthropic-messages/quirks.ts";
import type { BedrockQuirks } from "./bedrock-converse-stream/quirks.ts";
import type { CursorQuirks } from "./cursor-agent/quirks.ts";
import type { GoogleQuirks } from "./google-generative-ai/quirks.ts";
import type { OllamaQuirks } from "./ollama-chat/quirks.ts";
import type { CompletionsQuirks } from "./openai-completions/quirks.ts";
import type { ResponsesQuirks } from "./openai-responses/quirks.ts";

/** A kind of value, or the words that it may be. */
export type CompatKind =
  | "boolean"
  | "number"
  /** A timeout: 0 and less would end every call before it begins. */
  | "positive number"
  | "text"
  | "object"
  | "list"
  | readonly string[];

type Rows<Quirks> = Readonly<Record<keyof Quirks, CompatKind>>;

const COMPLETIONS: Rows<CompletionsQuirks> = {
  supportsStore: "boolean",
  supportsDeveloperRole: "boolean",
  supportsMultipleSystemMessages: "boolean",
  supportsUsageInStreaming: "boolean",
  maxTokensField: ["max_tokens", "max_completion_tokens"],
  alwaysSendMaxTokens: "boolean",
  supportsPromptCacheKey: "boolean",
  supportsLongPromptCacheRetention: "boolean",
  cacheControlFormat: ["anthropic"],
  supportsToolChoice: "boolean",
  supportsServiceTier: "boolean",
  extraBody: "object",
  supportsReasoningEffort: "boolean",
  supportsSamplingWhileThinking: "boolean",
  supportsReasoningParams: "boolean",
  reasoningEffortMap: "object",
  thinkingFormat: ["openai", "openrouter", "zai", "qwen", "qwen-chat-template"],
  disableReasoningOnForcedToolChoice: "boolean",
  disableReasoningOnToolChoice: "boolean",
  reasoningContentField: ["reasoning_content", "reasoning", "reasoning_text"],
  requiresReasoningContentForToolCalls: "boolean",
  allowsSyntheticReasoningContentForToolCalls: "boolean",
  requiresAssistantContentForToolCalls: "boolean",
  requiresToolResultName: "boolean",
  requiresAssistantAfterToolResult: "boolean",
  requiresThinkingAsText: "boolean",
  requiresMistralToolIds: "boolean",
  supportsStrictMode: "boolean",
  toolStrictMode: ["all_strict", "none"],
  disableStrictTools: "boolean",
  openRouterRouting: "object",
  vercelGatewayRouting: "object",
  whenThinking: "object",
};

const RESPONSES: Rows<ResponsesQuirks> = {
  supportsDeveloperRole: "boolean",
  supportsStore: "boolean",
  supportsPromptCacheKey: "boolean",
  supportsLongPromptCacheRetention: "boolean",
  supportsEncryptedReasoning: "boolean",
  replaysPlainReasoning: "boolean",
  supportsSamplingWhileThinking: "boolean",
  supportsReasoningParams: "boolean",
  reasoningSummary: ["auto", "concise", "detailed", "none"],
  reasoningEffortMap: "object",
  supportsToolChoice: "boolean",
  supportsServiceTier: "boolean",
  supportsStrictMode: "boolean",
  disableStrictTools: "boolean",
  extraBody: "object",
};

const ANTHROPIC: Rows<AnthropicQuirks> = {
  thinkingStyle: ["budget", "adaptive", "level"],
  disableAdaptiveThinking: "boolean",
  reasoningEffortMap: "object",
  thinksByDefault: "boolean",
  interleavedThinking: "boolean",
  replayUnsignedThinking: "boolean",
  supportsForcedToolChoice: "boolean",
  supportsSamplingParams: "boolean",
  supportsStrictMode: "boolean",
  disableStrictTools: "boolean",
  supportsPrefill: "boolean",
  supportsServiceTier: "boolean",
  supportsCacheControl: "boolean",
  supportsLongCacheRetention: "boolean",
  requiresToolResultId: "boolean",
  betas: "list",
  extraBody: "object",
};

const GOOGLE: Rows<GoogleQuirks> = {
  thinkingStyle: ANTHROPIC.thinkingStyle,
  maxThinkingBudget: "number",
  thinkingOff: "object",
  signedCalls: "boolean",
  schemaField: ["parametersJsonSchema", "parameters"],
  extraBody: "object",
};

const BEDROCK: Rows<BedrockQuirks> = {
  anthropicModel: "boolean",
  supportsCacheControl: "boolean",
  region: "text",
  takesProfileRegion: "boolean",
  extraBody: "object",
};

const CURSOR: Rows<CursorQuirks> = { maxMode: "boolean", clientVersion: "text" };

const OLLAMA: Rows<OllamaQuirks> = { thinkStyle: ["switch", "level"], extraBody: "object" };

/** What is not of one wire, or of one that has only these. */
const OTHERS = {
  dialect: DIALECT_IDS,
  streamIdleTimeoutMs: "positive number",
  firstEventTimeoutMs: "positive number",
  keepAliveTimeoutMs: "positive number",
  imageLimits: "object",
  textVerbosity: ["low", "medium", "high"],
  originator: "text",
  prefersWebsocket: "boolean",
  azureApiVersion: "text",
  entraToken: "text",
  project: "text",
  location: "text",
} as const satisfies Record<string, CompatKind>;

/** A row's or a user's, whichever wire it is for: each wire ignores those of another. */
export const COMPAT_KEYS: ReadonlyMap<string, CompatKind> = new Map<string, CompatKind>(
  [COMPLETIONS, RESPONSES, ANTHROPIC, GOOGLE, BEDROCK, OLLAMA, CURSOR, OTHERS].flatMap((rows) =>
    Object.entries(rows),
  ),
);

export const IMAGE_LIMIT_KEYS: Rows<ImageLimits> = {
  maxEdgePx: "number",
  maxChars: "number",
  maxCount: "number",
  maxTotalChars: "number",
};

/** Undefined if it is. */
export function whyNot(kind: CompatKind, value: unknown): string | undefined {
  if (typeof kind !== "string") {
    return kind.includes(value as string) ? undefined : `must be one of ${kind.join(", ")}`;
  }
  if (kind === "list") return Array.isArray(value) ? undefined : "must be a list";
  if (kind === "object") {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? undefined : "must be a mapping";
  }
  if (kind === "positive number") {
    return typeof value === "number" && value > 0 ? undefined : "must be a number greater than 0";
  }
  return typeof value === (kind === "text" ? "string" : kind) ? undefined : `must be a ${kind}`;
}
