// Neutral events (or a whole message) → Chat Completions chunks.

import type { ModelFailure } from "../../error.ts";
import type { StreamEvent } from "../../event.ts";
import { textOf, type AssistantMessage } from "../../message.ts";
import { encodeSse } from "../../sse.ts";
import type { Usage } from "../../usage.ts";
import type { WireReplyMeta } from "../../wire.ts";
import type { Json } from "../json.ts";

export function encodeStream(meta: WireReplyMeta): (event: StreamEvent) => string {
  const callNumbers = new Map<number, number>();
  const head = {
    id: meta.id,
    object: "chat.completion.chunk",
    created: Math.floor(meta.createdAt / 1000),
    model: meta.modelId,
  };
  const chunk = (delta: Json, finish: string | null = null): string =>
    encodeSse(JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] }));

  return (event) => {
    switch (event.type) {
      case "start":
        return chunk({ role: "assistant", content: "" });
      case "text_delta":
        return chunk({ content: event.delta });
      case "thinking_delta":
        return chunk({ reasoning_content: event.delta });
      case "toolcall_start": {
        const index = callNumbers.size;
        callNumbers.set(event.index, index);
        const fn = { name: event.name, arguments: "" };
        return chunk({ tool_calls: [{ index, id: event.id, type: "function", function: fn }] });
      }
      case "toolcall_delta": {
        const index = callNumbers.get(event.index);
        return chunk({ tool_calls: [{ index, function: { arguments: event.delta } }] });
      }
      case "done": {
        const usage = { ...head, choices: [], usage: encodeUsage(event.message.usage) };
        const last = chunk({}, finishReason(event.reason));
        return last + encodeSse(JSON.stringify(usage)) + encodeSse("[DONE]");
      }
      case "error":
        return encodeSse(JSON.stringify({ error: encodeFailure(event.error) }));
      default:
        return "";
    }
  };
}

export function encodeReply(message: AssistantMessage, meta: WireReplyMeta): unknown {
  const calls = message.content.filter((block) => block.type === "toolCall");
  const thinking = message.content
    .filter((block) => block.type === "thinking")
    .map((block) => block.text)
    .join("");
  const reply: Json = { role: "assistant", content: textOf(message) || null };
  if (thinking) reply.reasoning_content = thinking;
  if (calls.length > 0) {
    reply.tool_calls = calls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }));
  }
  return {
    id: meta.id,
    object: "chat.completion",
    created: Math.floor(meta.createdAt / 1000),
    model: meta.modelId,
    choices: [{ index: 0, message: reply, finish_reason: finishReason(message.stopReason) }],
    usage: encodeUsage(message.usage),
  };
}

function finishReason(reason: string): string {
  if (reason === "toolUse") return "tool_calls";
  return reason === "length" ? "length" : "stop";
}

function encodeUsage(usage: Usage): Json {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}

const TYPE_OF_KIND: Partial<Record<ModelFailure["kind"], string>> = {
  auth: "authentication_error",
  rate_limit: "rate_limit_error",
  overloaded: "server_error",
  timeout: "server_error",
  network: "server_error",
};

export function encodeFailure(failure: ModelFailure): Json {
  const code =
    failure.code ?? (failure.kind === "context_overflow" ? "context_length_exceeded" : null);
  return {
    message: failure.message,
    type: TYPE_OF_KIND[failure.kind] ?? "invalid_request_error",
    param: null,
    code,
  };
}
