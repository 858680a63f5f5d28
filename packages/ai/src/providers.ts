// Who can be talked to. A provider is a row: which wire, where, how it wants its key and
// where that key is found. Nothing else in Tau knows a vendor by name.

import { firstSet, type Environment } from "./environment.ts";
import type { Model } from "./model.ts";
import { FREE } from "./model.ts";
import type { ProviderRow } from "./provider-row.ts";

/** In the order in which a key in the environment makes its provider the default. */
export const PROVIDERS: readonly ProviderRow[] = [
  {
    id: "anthropic",
    name: "Anthropic",
    wire: "anthropic-messages",
    baseUrl: "https://api.anthropic.com",
    baseUrlEnv: ["ANTHROPIC_BASE_URL"],
    auth: "x-api-key",
    keyEnv: ["ANTHROPIC_API_KEY"],
    defaultModel: "claude-sonnet-4-5",
  },
  {
    id: "openai",
    name: "OpenAI",
    wire: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    baseUrlEnv: ["OPENAI_BASE_URL"],
    auth: "bearer",
    keyEnv: ["OPENAI_API_KEY"],
    defaultModel: "gpt-5.4",
  },
  {
    id: "google",
    name: "Google Gemini",
    wire: "google-generative-ai",
    baseUrl: "https://generativelanguage.googleapis.com",
    baseUrlEnv: ["GEMINI_BASE_URL"],
    auth: "x-goog-api-key",
    keyEnv: ["GEMINI_API_KEY"],
    defaultModel: "gemini-2.5-pro",
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    wire: "openai-completions",
    baseUrl: "https://openrouter.ai/api/v1",
    baseUrlEnv: ["OPENROUTER_BASE_URL"],
    auth: "bearer",
    keyEnv: ["OPENROUTER_API_KEY"],
    defaultModel: "openrouter/auto",
  },
  {
    id: "ollama",
    name: "Ollama",
    wire: "openai-completions",
    baseUrl: "http://127.0.0.1:11434/v1",
    baseUrlEnv: ["OLLAMA_BASE_URL"],
    auth: "bearer",
    keyEnv: ["OLLAMA_API_KEY"],
    keyless: true,
  },
  {
    id: "lm-studio",
    name: "LM Studio",
    wire: "openai-completions",
    baseUrl: "http://127.0.0.1:1234/v1",
    baseUrlEnv: ["LM_STUDIO_BASE_URL"],
    auth: "bearer",
    keyEnv: ["LM_STUDIO_API_KEY"],
    keyless: true,
  },
  {
    id: "llama.cpp",
    name: "llama.cpp server",
    wire: "openai-completions",
    baseUrl: "http://127.0.0.1:8080/v1",
    baseUrlEnv: ["LLAMA_CPP_BASE_URL"],
    auth: "bearer",
    keyEnv: ["LLAMA_CPP_API_KEY"],
    keyless: true,
  },
];

/** Assumed of a model that nothing more is known of. */
const UNKNOWN_CONTEXT_TOKENS = 128_000;
const UNKNOWN_OUTPUT_TOKENS = 16_384;

export function modelOf(row: ProviderRow, id: string, env: Environment): Model {
  const moved = firstSet(row.baseUrlEnv ?? [], env);
  return {
    provider: row.id,
    id,
    name: id,
    wire: row.wire,
    baseUrl: moved ?? row.baseUrl,
    auth: row.auth,
    contextWindow: UNKNOWN_CONTEXT_TOKENS,
    maxOutput: UNKNOWN_OUTPUT_TOKENS,
    input: ["text", "image"],
    cost: FREE,
    ...(row.quirks ? { quirks: row.quirks } : {}),
  };
}

export function keyOf(row: ProviderRow, env: Environment): string | undefined {
  return firstSet(row.keyEnv, env);
}
