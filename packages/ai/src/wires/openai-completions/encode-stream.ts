// Neutral events (or a whole message) → Chat Completions chunks.

import type { StreamEvent } from "../../event.ts";
import { textOf, type AssistantMessage, type ToolCallBlock } from "../../message.ts";
import { encodeSse } from "../../sse.ts";
import type { Usage } from "../../usage.ts";
import type { WireReplyMeta } from "../../wire.ts";
import type { Json } from "../json.ts";
import { encodeFailure } from "../openai-failure.ts";

const MS_PER_SECOND = 1000;

export function encodeStream(meta: WireReplyMeta): (event: StreamEvent) => string {
  const callNumbers = new Map<number, number>();
  /** Blocks of which something was streamed; the others are sent whole at their end. */
  const streamed = new Set<number>();
  const head = {
    id: meta.id,
    object: "chat.completion.chunk",
    created: Math.floor(meta.createdAt / MS_PER_SECOND),
    model: meta.modelId,
  };
  const chunk = (delta: Json, finish: string | null = null): string =>
    encodeSse(
      JSON.stringify({
        ...head,
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      }),
    );
  const callChunk = (index: number, text: string): string =>
    chunk({ tool_calls: [{ index: callNumbers.get(index), function: { arguments: text } }] });

  return (event) => {
    if ("delta" in event) streamed.add(event.index);
    switch (event.type) {
      case "start":
        return chunk({ role: "assistant", content: "", refusal: null });
      case "text_delta":
        return chunk({ content: event.delta });
      case "text_end":
        return streamed.has(event.index) ? "" : chunk({ content: event.block.text });
      case "thinking_delta":
        return chunk({ reasoning_content: event.delta });
      case "thinking_end":
        return streamed.has(event.index) || event.block.text === ""
          ? ""
          : chunk({ reasoning_content: event.block.text });
      case "toolcall_start": {
        const index = callNumbers.size;
        callNumbers.set(event.index, index);
        const fn = { name: event.name, arguments: "" };
        return chunk({ tool_calls: [{ index, id: event.id, type: "function", function: fn }] });
      }
      case "toolcall_delta":
        return callChunk(event.index, event.delta);
      case "toolcall_end":
        return streamed.has(event.index) ? "" : callChunk(event.index, argumentText(event.block));
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
  const reply: Json = { role: "assistant", content: textOf(message) || null, refusal: null };
  if (thinking) reply.reasoning_content = thinking;
  if (calls.length > 0) {
    reply.tool_calls = calls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: argumentText(call) },
    }));
  }
  const finish_reason = finishReason(message.stopReason);
  return {
    id: meta.id,
    object: "chat.completion",
    created: Math.floor(meta.createdAt / MS_PER_SECOND),
    model: meta.modelId,
    choices: [{ index: 0, message: reply, logprobs: null, finish_reason }],
    usage: encodeUsage(message.usage),
  };
}

/** What broke off is passed on broken: an empty object in its place could be run. */
function argumentText(call: ToolCallBlock): string {
  return call.malformed ?? JSON.stringify(call.arguments);
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
      cache_write_tokens: usage.cacheWrite > 0 ? usage.cacheWrite : undefined,
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}
