// Servers on this machine or in this house. They tell which models they have; those that
// answer without a key are looked for without being asked.

import type { ProviderRow } from "../provider-row.ts";

export const LOCAL = {
  ollama: {
    id: "ollama",
    name: "Ollama",
    wire: "openai-completions",
    baseUrl: "http://127.0.0.1:11434/v1",
    baseUrlEnv: ["OLLAMA_BASE_URL"],
    hostEnv: ["OLLAMA_HOST"],
    basePath: "/v1",
    auth: "bearer",
    keyEnv: ["OLLAMA_API_KEY"],
    keyless: true,
    quirks: { reasoningContentField: "reasoning", reasoningEffortMap: { off: "none" } },
    discovery: "ollama",
    contextEnv: "OLLAMA_CONTEXT_LENGTH",
  },
  "lm-studio": {
    id: "lm-studio",
    name: "LM Studio",
    wire: "openai-completions",
    baseUrl: "http://127.0.0.1:1234/v1",
    baseUrlEnv: ["LM_STUDIO_BASE_URL"],
    basePath: "/v1",
    auth: "bearer",
    keyEnv: ["LM_STUDIO_API_KEY"],
    keyless: true,
    discovery: "lm-studio",
  },
  "llama.cpp": {
    id: "llama.cpp",
    name: "llama.cpp server",
    wire: "openai-completions",
    baseUrl: "http://127.0.0.1:8080/v1",
    baseUrlEnv: ["LLAMA_CPP_BASE_URL"],
    basePath: "/v1",
    auth: "bearer",
    keyEnv: ["LLAMA_CPP_API_KEY"],
    keyless: true,
    quirks: { thinkingFormat: "qwen-chat-template" },
    discovery: "llama.cpp",
  },
  // The two below share their ports with every other development server, so a key (any
  // text will do) says that they are there.
  vllm: {
    id: "vllm",
    name: "vLLM",
    wire: "openai-completions",
    baseUrl: "http://127.0.0.1:8000/v1",
    baseUrlEnv: ["VLLM_BASE_URL"],
    basePath: "/v1",
    auth: "bearer",
    keyEnv: ["VLLM_API_KEY"],
    quirks: { thinkingFormat: "qwen-chat-template" },
    discovery: "openai-models-list",
  },
  litellm: {
    id: "litellm",
    name: "LiteLLM",
    wire: "openai-completions",
    baseUrl: "http://127.0.0.1:4000/v1",
    baseUrlEnv: ["LITELLM_BASE_URL"],
    basePath: "/v1",
    auth: "bearer",
    keyEnv: ["LITELLM_API_KEY"],
    discovery: "openai-models-list",
  },
} satisfies Record<string, ProviderRow>;
