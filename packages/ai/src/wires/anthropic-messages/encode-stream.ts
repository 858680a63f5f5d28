// Neutral events (or a whole message) → Messages stream events. The vendor sends one
// content block after the other; neutral blocks may overlap (parallel calls of another
// wire), so what belongs to a later block waits until the earlier one is closed.

import type { ModelFailure } from "../../error.ts";
import type { StreamEvent } from "../../event.ts";
import type { AssistantBlock, AssistantMessage, ThinkingBlock } from "../../message.ts";
import { encodeSse } from "../../sse.ts";
import type { Usage } from "../../usage.ts";
import type { WireReplyMeta } from "../../wire.ts";
import { signatureOf } from "../foreign-opaque.ts";
import type { Json } from "../json.ts";
import { encodeFailure } from "./errors.ts";

const WIRE = "anthropic-messages";

export function encodeStream(meta: WireReplyMeta): (event: StreamEvent) => string {
  const stream = new MessagesStream(meta);
  return (event) => stream.encode(event);
}

/** The event's name and its data's `type` are the same word. */
function frame(data: { type: string } & Json): string {
  return encodeSse(JSON.stringify(data), data.type);
}

interface Outgoing {
  /** Frames that wait for an earlier block to close. */
  waiting: string;
  started: boolean;
  sawDelta: boolean;
  ended: boolean;
}

class MessagesStream {
  #meta: WireReplyMeta;
  /** Blocks not yet written out whole, by their index; a Map keeps the order they began in. */
  #blocks = new Map<number, Outgoing>();

  constructor(meta: WireReplyMeta) {
    this.#meta = meta;
  }

  encode(event: StreamEvent): string {
    switch (event.type) {
      case "start":
        return this.#start();
      case "text_start":
        return this.#open(event.index, { type: "text", text: "", citations: null });
      case "thinking_start":
        // Whether the vendor withheld the text shows only later, so the frame waits.
        return this.#open(event.index, undefined);
      case "toolcall_start":
        return this.#open(event.index, toolUse(event.id, event.name, {}));
      case "text_delta":
        return this.#delta(event.index, { type: "text_delta", text: event.delta });
      case "thinking_delta":
        return this.#delta(event.index, { type: "thinking_delta", thinking: event.delta });
      case "toolcall_delta":
        return this.#delta(event.index, { type: "input_json_delta", partial_json: event.delta });
      case "text_end":
      case "thinking_end":
      case "toolcall_end":
        return this.#close(event.index, event.block);
      case "done":
        return end(stopReason(event.message), null, event.message.usage);
      case "error":
        return endWith(event.error, event.message.usage);
    }
  }

  #start(): string {
    const message = envelope(this.#meta, []);
    const usage = encodeUsage({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
    return (
      frame({ type: "message_start", message: { ...message, usage } }) + frame({ type: "ping" })
    );
  }

  #open(index: number, content: Json | undefined): string {
    this.#blocks.set(index, { waiting: "", started: false, sawDelta: false, ended: false });
    return content ? this.#begin(index, content) : "";
  }

  #begin(index: number, content: Json): string {
    this.#blocks.get(index)!.started = true;
    return this.#write(
      index,
      frame({ type: "content_block_start", index, content_block: content }),
    );
  }

  #delta(index: number, delta: Json): string {
    const block = this.#blocks.get(index);
    if (!block) return "";
    const begun = block.started ? "" : this.#begin(index, THINKING);
    block.sawDelta = true;
    return begun + this.#write(index, frame({ type: "content_block_delta", index, delta }));
  }

  #close(index: number, whole: AssistantBlock): string {
    const block = this.#blocks.get(index);
    if (!block) return "";
    let text = "";
    if (!block.started) {
      const content = whole.type === "thinking" ? thinking(whole) : THINKING;
      if (content.type === "redacted_thinking") {
        return this.#begin(index, content) + this.#stop(index);
      }
      text += this.#begin(index, THINKING);
    }
    if (whole.type === "thinking") {
      const signature = signatureOf(whole.opaque, WIRE);
      if (signature) text += this.#delta(index, { type: "signature_delta", signature });
    } else if (whole.type === "toolCall" && !block.sawDelta && whole.malformed === undefined) {
      const partial_json = JSON.stringify(whole.arguments);
      text += this.#delta(index, { type: "input_json_delta", partial_json });
    }
    return text + this.#stop(index);
  }

  #stop(index: number): string {
    let text = this.#write(index, frame({ type: "content_block_stop", index }));
    this.#blocks.get(index)!.ended = true;
    for (const [at, block] of this.#blocks) {
      text += block.waiting;
      block.waiting = "";
      if (!block.ended) break;
      this.#blocks.delete(at);
    }
    return text;
  }

  /** Only the block that began first writes through. */
  #write(index: number, text: string): string {
    const [first] = this.#blocks.keys();
    if (index === first) return text;
    this.#blocks.get(index)!.waiting += text;
    return "";
  }
}

const THINKING: Json = { type: "thinking", thinking: "", signature: "" };

function toolUse(id: string, name: string, input: unknown): Json {
  return { type: "tool_use", id, name, input, caller: { type: "direct" } };
}

function thinking(block: ThinkingBlock): Json {
  const signature = signatureOf(block.opaque, WIRE) ?? "";
  if (block.redacted && signature !== "") return { type: "redacted_thinking", data: signature };
  return { type: "thinking", thinking: block.text, signature };
}

function end(reason: string, details: Json | null, usage: Usage): string {
  const delta = {
    stop_reason: reason,
    stop_sequence: null,
    stop_details: details,
    container: null,
  };
  const counts = encodeUsage(usage);
  return frame({ type: "message_delta", delta, usage: counts }) + frame({ type: "message_stop" });
}

/** What the vendor tells by a stop reason is told so; everything else is its error event. */
function endWith(failure: ModelFailure, usage: Usage): string {
  if (failure.kind === "content_filter") return end("refusal", refusal(failure), usage);
  if (failure.code === "model_context_window_exceeded") return end(failure.code, null, usage);
  return frame({
    type: "error",
    error: encodeFailure(failure),
    request_id: failure.requestId ?? null,
  });
}

function refusal(failure: ModelFailure): Json {
  return { type: "refusal", category: null, explanation: failure.message };
}

function stopReason(message: AssistantMessage): string {
  if (message.stopReason === "toolUse") return "tool_use";
  if (message.isPaused) return "pause_turn";
  return message.stopReason === "length" ? "max_tokens" : "end_turn";
}

function envelope(meta: WireReplyMeta, content: Json[]): Json {
  return {
    id: meta.id,
    type: "message",
    role: "assistant",
    model: meta.modelId,
    content,
    container: null,
    diagnostics: null,
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
  };
}

function encodeUsage(usage: Usage): Json {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite,
      ephemeral_1h_input_tokens: 0,
    },
    output_tokens: usage.output,
    output_tokens_details:
      usage.reasoning === undefined ? null : { thinking_tokens: usage.reasoning },
    server_tool_use: null,
    service_tier: "standard",
  };
}

export function encodeReply(message: AssistantMessage, meta: WireReplyMeta): unknown {
  const content = message.content.map((block): Json => {
    if (block.type === "text") return { type: "text", text: block.text, citations: null };
    if (block.type === "toolCall") return toolUse(block.id, block.name, block.arguments);
    return thinking(block);
  });
  const { error } = message;
  const refused = error?.kind === "content_filter";
  return {
    ...envelope(meta, content),
    stop_reason: refused ? "refusal" : stopReason(message),
    stop_details: refused ? refusal(error) : null,
    usage: encodeUsage(message.usage),
  };
}
