// Neutral events (or a whole message) → generateContent chunks. The vendor sends a call
// whole, so the pieces of its arguments are not passed on; a signature comes on the last
// piece of its part, which may be an empty one.

import type { ModelFailure } from "../../error.ts";
import type { StreamEvent } from "../../event.ts";
import type { AssistantBlock, AssistantMessage, Opaque } from "../../message.ts";
import { encodeSse } from "../../sse.ts";
import type { Usage } from "../../usage.ts";
import type { WireReplyMeta } from "../../wire.ts";
import { signatureOf } from "../foreign-opaque.ts";
import type { Json } from "../json.ts";
import { isMinted } from "./call-ids.ts";
import { encodeFailure } from "./errors.ts";

export function encodeStream(meta: WireReplyMeta): (event: StreamEvent) => string {
  const chunk = (parts: Json[], rest: Json = {}): string => {
    const candidate = { content: { parts, role: "model" }, index: 0 };
    return encodeSse(JSON.stringify({ candidates: [candidate], ...tail(meta), ...rest }));
  };
  return (event) => {
    switch (event.type) {
      case "text_delta":
        return chunk([{ text: event.delta }]);
      case "thinking_delta":
        return chunk([{ text: event.delta, thought: true }]);
      case "text_end":
      case "thinking_end": {
        const thoughtSignature = signature(event.block.opaque);
        if (thoughtSignature === undefined) return "";
        return chunk([{ ...prose(event.block, ""), thoughtSignature }]);
      }
      case "toolcall_end":
        return event.block.malformed === undefined ? chunk([encodeCall(event.block)]) : "";
      case "done":
        return encodeSse(JSON.stringify(ending(event.message, meta, [])));
      case "error":
        if (event.error.kind === "content_filter") {
          return encodeSse(JSON.stringify(ending(event.message, meta, [])));
        }
        return encodeSse(JSON.stringify({ error: encodeFailure(event.error) }));
      default:
        return "";
    }
  };
}

export function encodeReply(message: AssistantMessage, meta: WireReplyMeta): unknown {
  const parts: Json[] = [];
  for (const block of message.content) {
    if (block.type === "toolCall") {
      if (block.malformed === undefined) parts.push(encodeCall(block));
    } else parts.push({ ...prose(block, block.text), thoughtSignature: signature(block.opaque) });
  }
  return ending(message, meta, parts);
}

function prose(block: { type: string }, text: string): Json {
  return block.type === "thinking" ? { text, thought: true } : { text };
}

function encodeCall(call: Extract<AssistantBlock, { type: "toolCall" }>): Json {
  const id = isMinted(call.id) ? undefined : call.id;
  const functionCall = { id, name: call.name, args: call.arguments };
  return { functionCall, thoughtSignature: signature(call.opaque) };
}

function signature(opaque: Opaque | undefined): string | undefined {
  return signatureOf(opaque, "google-generative-ai");
}

function ending(message: AssistantMessage, meta: WireReplyMeta, parts: Json[]): Json {
  const candidate: Json = {
    // Like the vendor's last chunk: its SDK takes a content without parts for a broken one.
    content: { parts: parts.length > 0 ? parts : [{ text: "" }], role: "model" },
    finishReason: finishReason(message),
    index: 0,
  };
  if (message.error) candidate.finishMessage = message.error.message;
  return { candidates: [candidate], ...tail(meta), usageMetadata: encodeUsage(message.usage) };
}

function tail(meta: WireReplyMeta): Json {
  return { modelVersion: meta.modelId, responseId: meta.id };
}

function finishReason(message: AssistantMessage): string {
  if (message.error) return filterReason(message.error);
  if (message.stopReason === "length") return "MAX_TOKENS";
  const broken = message.content.some((b) => b.type === "toolCall" && b.malformed !== undefined);
  return broken ? "MALFORMED_FUNCTION_CALL" : "STOP";
}

const FILTER_REASONS = new Set(["RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"]);

function filterReason(failure: ModelFailure): string {
  return failure.code !== undefined && FILTER_REASONS.has(failure.code) ? failure.code : "SAFETY";
}

function encodeUsage(usage: Usage): Json {
  const reasoning = usage.reasoning ?? 0;
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: usage.output - reasoning,
    totalTokenCount: prompt + usage.output,
    cachedContentTokenCount: usage.cacheRead > 0 ? usage.cacheRead : undefined,
    thoughtsTokenCount: reasoning > 0 ? reasoning : undefined,
  };
}
