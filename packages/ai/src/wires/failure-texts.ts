// What vendors say only in words. Where a body has a code that decides, the code decides; these
// texts are for the many servers that answer an overfull context, an empty account or an unknown
// model with a bare 400. They are the vendors' wire format as much as their fields are, and they
// are read here, at the edge, and nowhere else: a session that cannot tell would be stuck for good.
//
// Most were taken from recorded bodies, some from how a vendor is known to word it;
// `fixtures/failures.jsonl` has them, and a text that
// is missed is a line there first.

import type { ModelErrorKind } from "../error.ts";

export interface TextRule {
  kind: ModelErrorKind;
  /** Who is known to say it. Gateways repeat what the servers behind them say. */
  said: string;
  text: RegExp;
}

/** Vendors put the reason first; what comes after may be the request, repeated. */
const REASON_CHARS = 600;

const TEXT_RULES: readonly TextRule[] = [
  // The account before the window: some accounts are refused for the size that they cannot pay.
  credit("Anthropic", /credit balance is too low/i),
  credit("OpenRouter", /insufficient credits|requires more credits|more credits are required/i),
  credit("DeepSeek, Moonshot, Z.AI, MiniMax", /insufficient[ _](?:account )?balance/i),
  credit("xAI", /used all available credits|reached its monthly spending limit/i),
  credit("Gemini", /(?:prepayment|prepaid) credits are depleted/i),
  credit("Fireworks", /suspended, possibly due to reaching the monthly spending limit/i),
  credit("Anthropic", /reached your specified API usage limits/i),
  credit("xAI", /does(?: not|n't) have any credits/i),
  credit("Alibaba", /make sure your account is in good standing/i),

  overflow(
    "OpenAI, vLLM, OpenRouter, DeepSeek",
    /maximum context length (?:is|of) (?:only )?[\d,]+/i,
  ),
  overflow("vLLM since 0.16", /model's context length is only [\d,]+/i),
  overflow("vLLM, older", /is too long to fit into the model/i),
  overflow("vLLM, older", /longer than the maximum model length of/i),
  overflow("vLLM, older", /max_tokens must be at least 1, got -\d/i),
  overflow(
    "OpenAI Responses, MLX, Ollama",
    /exceed(?:s|ed)? (?:the |max(?:imum)? |this |model |model's )*context (?:length|window|size|limit)/i,
  ),
  overflow("OpenAI gpt-5", /input tokens exceed the configured limit/i),
  overflow("llama.cpp", /exceeds the available context size/i),
  overflow("llama-cpp-python", /requested tokens \(\d+\) exceed context window/i),
  overflow("LM Studio", /tokens when (?:the )?context (?:the )?overflows/i),
  overflow("LM Studio", /(?:greater than|reached) (?:the )?context length/i),
  overflow("xAI", /maximum prompt length is [\d,]+/i),
  overflow("GitHub Copilot", /prompt token count of [\d,]+ exceeds the limit/i),
  overflow("Kimi, Moonshot", /exceeded model token limit/i),
  overflow("Z.AI", /prompt exceeds max(?:imum)? length/i),
  overflow("Mistral", /too large for model with [\d,]+ maximum context length/i),
  overflow("Together, Hugging Face", /inputs?`? tokens \+ `?max_new_tokens`? must be <=/i),
  overflow("Groq, Cerebras", /reduce the length of the (?:messages|input|prompt)/i),
  // One request above what a minute may have: no minute will ever have room for it.
  overflow("OpenAI, Groq", /request too large for .* tokens per min/i),
  overflow("Anthropic, Fireworks", /prompt is too long/i),
  overflow("Anthropic", /extra usage is required for long context/i),
  overflow("Anthropic", /input length and `max_tokens` exceed context limit/i),
  overflow("Bedrock", /input is too long for requested model|too many input tokens/i),
  overflow("Bedrock", /expected max(?:Length|imum length): \d+, actual: \d+/i),
  overflow("Gemini", /input token count .*exceeds the maximum number of tokens/i),
  overflow("Vertex", /input token count is [\d,]+ but model only supports/i),
  overflow("MiniMax", /context window exceeds limit/i),
  overflow("Alibaba", /range of input length should be/i),
  overflow("Volcano Ark", /input length [\d,]+ exceeds the maximum length/i),
  overflow("SGLang", /longer than the model's context length/i),
  overflow("Ollama", /prompt (?:is )?too long; exceeded max context length/i),

  { kind: "auth", said: "xAI", text: /incorrect api key provided/i },

  missing("OpenAI, Groq, vLLM, xAI", /\bmodel\b.{1,200}?does(?: not|n't) exist/i),
  missing("OpenRouter", /is not a valid model id|no endpoints (?:found|available)/i),
  missing("DeepSeek", /model not exist/i),
  missing("Z.AI", /^unknown model\b/i),
  missing("LiteLLM", /invalid model name passed in model=/i),
  missing("Ollama", /^model ["'].{1,200}["'] not found/i),
  missing("Bedrock", /model identifier is invalid/i),
  missing("Groq", /model .{1,200} has been decommissioned/i),
  missing("GitHub Copilot, Codex", /model is not supported/i),
];

/** Undefined where the words are none that are known. */
export function kindOfText(text: string): ModelErrorKind | undefined {
  const reason = text.slice(0, REASON_CHARS);
  return TEXT_RULES.find((rule) => rule.text.test(reason))?.kind;
}

function credit(said: string, text: RegExp): TextRule {
  return { kind: "credit", said, text };
}

function overflow(said: string, text: RegExp): TextRule {
  return { kind: "context_overflow", said, text };
}

function missing(said: string, text: RegExp): TextRule {
  return { kind: "not_found", said, text };
}
