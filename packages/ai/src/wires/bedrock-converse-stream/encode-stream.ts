// Neutral events (or a whole message) → ConverseStream messages. Blocks carry their index,
// so those that overlap need no sorting; one without content is not mentioned at all.

import { encodeEventStream } from "../../aws-event-stream.ts";
import type { ModelFailure } from "../../error.ts";
import type { StreamEvent } from "../../event.ts";
import type { AssistantBlock, AssistantMessage, ThinkingBlock } from "../../message.ts";
import type { Usage } from "../../usage.ts";
import type { WireReplyMeta } from "../../wire.ts";
import { signatureOf } from "../foreign-opaque.ts";
import type { Json } from "../json.ts";
import { encodeException } from "./errors.ts";

/** Whose opaque bytes are this wire's own, before the server half changes the names. */
export const SPELLED_LIKE = "anthropic-messages";
const NOTHING = new Uint8Array();

export function encodeStream(_meta: WireReplyMeta): (event: StreamEvent) => Uint8Array {
  /** Blocks of which something has been said. */
  const begun = new Set<number>();
  const delta = (index: number, content: Json): Uint8Array => {
    begun.add(index);
    return message("contentBlockDelta", { contentBlockIndex: index, delta: content });
  };
  const stop = (index: number): Uint8Array =>
    begun.has(index) ? message("contentBlockStop", { contentBlockIndex: index }) : NOTHING;
  return (event) => {
    switch (event.type) {
      case "start":
        return message("messageStart", { role: "assistant" });
      case "toolcall_start": {
        begun.add(event.index);
        const start = { toolUse: { toolUseId: event.id, name: event.name } };
        return message("contentBlockStart", { contentBlockIndex: event.index, start });
      }
      case "text_start":
      case "thinking_start":
        return NOTHING;
      case "text_delta":
        return delta(event.index, { text: event.delta });
      case "thinking_delta":
        return delta(event.index, { reasoningContent: { text: event.delta } });
      case "toolcall_delta":
        return delta(event.index, { toolUse: { input: event.delta } });
      case "thinking_end": {
        const kept = keptReasoning(event.block);
        const last = kept ? delta(event.index, { reasoningContent: kept }) : NOTHING;
        return join(last, stop(event.index));
      }
      case "text_end":
      case "toolcall_end":
        return stop(event.index);
      case "done":
      case "error":
        return ending(event.message);
    }
  };
}

function message(name: string, payload: Json): Uint8Array {
  return encodeEventStream(payload, {
    ":event-type": name,
    ":content-type": "application/json",
    ":message-type": "event",
  });
}

function join(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function keptReasoning(block: ThinkingBlock): Json | undefined {
  const data = signatureOf(block.opaque, SPELLED_LIKE);
  if (data === undefined) return undefined;
  return block.redacted ? { redactedContent: data } : { signature: data };
}

/** What the vendor tells by a stop reason is told so; everything else is an exception. */
function ending(reply: AssistantMessage): Uint8Array {
  const { error } = reply;
  const stopReason = error ? stopReasonOf(error) : stopReasonOfReply(reply);
  if (error && stopReason === undefined) {
    const { name, body } = encodeException(error);
    return encodeEventStream(body, {
      ":exception-type": name[0]!.toLowerCase() + name.slice(1),
      ":content-type": "application/json",
      ":message-type": "exception",
    });
  }
  const metadata = { usage: encodeUsage(reply.usage), metrics: { latencyMs: 0 } };
  return join(message("messageStop", { stopReason }), message("metadata", metadata));
}

function stopReasonOf(failure: ModelFailure): string | undefined {
  if (failure.kind === "content_filter") {
    return failure.code === "guardrail_intervened" ? failure.code : "content_filtered";
  }
  const { code } = failure;
  return code === "model_context_window_exceeded" ? code : undefined;
}

function stopReasonOfReply(reply: AssistantMessage): string {
  if (reply.stopReason === "length") return "max_tokens";
  const broken = reply.content.some((b) => b.type === "toolCall" && b.malformed !== undefined);
  if (broken) return "malformed_tool_use";
  return reply.stopReason === "toolUse" ? "tool_use" : "end_turn";
}

function encodeUsage(usage: Usage): Json {
  const { input, output, cacheRead, cacheWrite } = usage;
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output + cacheRead + cacheWrite,
    cacheReadInputTokens: cacheRead,
    cacheWriteInputTokens: cacheWrite,
  };
}

export function encodeReply(reply: AssistantMessage, _meta: WireReplyMeta): unknown {
  const { error } = reply;
  return {
    output: { message: { role: "assistant", content: reply.content.flatMap(encodeBlock) } },
    stopReason: (error && stopReasonOf(error)) ?? stopReasonOfReply(reply),
    usage: encodeUsage(reply.usage),
    metrics: { latencyMs: 0 },
  };
}

function encodeBlock(block: AssistantBlock): Json[] {
  if (block.type === "text") return block.text === "" ? [] : [{ text: block.text }];
  if (block.type === "toolCall") {
    // A whole reply has no place for arguments that are no object.
    if (block.malformed !== undefined) return [];
    const { id: toolUseId, name, arguments: input } = block;
    return [{ toolUse: { toolUseId, name, input } }];
  }
  const kept = keptReasoning(block);
  if (kept?.redactedContent !== undefined) return [{ reasoningContent: kept }];
  if (block.text === "" && !kept) return [];
  return [{ reasoningContent: { reasoningText: { text: block.text, ...kept } } }];
}
