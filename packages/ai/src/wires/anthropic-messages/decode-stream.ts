// Messages stream events (or a whole message) → neutral events.

import { modelFailure } from "../../error.ts";
import type { OpenBlock, ReplyAssembler } from "../../reply-assembler.ts";
import { tokenCount, type Usage } from "../../usage.ts";
import type { FrameSink } from "../../wire.ts";
import { asArray, asNumber, asObject, asString, type Json } from "../json.ts";
import { failureOf } from "../vendor-error.ts";

interface Receiving {
  block: OpenBlock;
  /** Whole arguments that came with the block's start; most hosts send deltas instead. */
  input?: Json;
  sawDelta: boolean;
}

export function decodeStream(out: ReplyAssembler): FrameSink {
  const reply = new MessagesReply(out);
  return {
    // The event's name repeats the type in the data, and some hosts leave it out.
    frame: ({ data }) => reply.event(asObject(JSON.parse(data)) ?? {}),
    end: () => out.failIfUnfinished(),
  };
}

/** A whole message is its own stream, told at once. */
export function decodeReply(body: unknown, out: ReplyAssembler): void {
  const message = asObject(body) ?? {};
  const reply = new MessagesReply(out);
  if (message.type === "error") {
    reply.event(message);
    return;
  }
  reply.event({ type: "message_start", message });
  asArray(message.content).forEach((content_block, index) => {
    reply.event({ type: "content_block_start", index, content_block });
    reply.event({ type: "content_block_stop", index });
  });
  reply.event({ type: "message_delta", delta: message, usage: message.usage });
  // Without a reason the message is not whole, and the caller's end of body says so.
  if (asString(message.stop_reason)) reply.event({ type: "message_stop" });
}

class MessagesReply {
  #out: ReplyAssembler;
  #blocks = new Map<number, Receiving>();
  /** A call that was closed without arguments: whole, or cut off, as the reason will tell. */
  #bareCall: OpenBlock | undefined;
  #stopReason: string | undefined;
  #refusal: string | undefined;

  constructor(out: ReplyAssembler) {
    this.#out = out;
  }

  event(event: Json): void {
    switch (event.type) {
      case "message_start":
        this.#start(asObject(event.message) ?? {});
        break;
      case "content_block_start":
        this.#openBlock(asNumber(event.index) ?? -1, asObject(event.content_block) ?? {});
        break;
      case "content_block_delta":
        this.#delta(asNumber(event.index) ?? -1, asObject(event.delta) ?? {});
        break;
      case "content_block_stop":
        this.#closeBlock(asNumber(event.index) ?? -1);
        break;
      case "message_delta":
        this.#messageDelta(event);
        break;
      case "message_stop":
        this.#finish();
        break;
      case "error":
        this.#out.fail(failureOf(asObject(event.error) ?? {}));
        break;
      default: // `ping`, and whatever the vendor adds: its documents ask to ignore it.
    }
  }

  #start(message: Json): void {
    this.#out.start();
    const id = asString(message.id);
    if (id) this.#out.responseId(id);
    this.#usage(message.usage);
  }

  /** Blocks of the vendor's own tools have no neutral form: they and their deltas pass by. */
  #openBlock(index: number, content: Json): void {
    const out = this.#out;
    this.#settleBareCall();
    if (content.type === "text") {
      const block = out.openText();
      block.append(asString(content.text) ?? "");
      this.#blocks.set(index, { block, sawDelta: false });
    } else if (content.type === "thinking") {
      const block = out.openThinking();
      block.append(asString(content.thinking) ?? "");
      const signature = asString(content.signature);
      if (signature) block.keep(signature);
      this.#blocks.set(index, { block, sawDelta: false });
    } else if (content.type === "redacted_thinking") {
      const block = out.openThinking({ redacted: true });
      const data = asString(content.data);
      if (data) block.keep(data);
      this.#blocks.set(index, { block, sawDelta: false });
    } else if (content.type === "tool_use") {
      const id = asString(content.id) || `toolu_${crypto.randomUUID().replaceAll("-", "")}`;
      const block = out.openToolCall({ id, name: asString(content.name) ?? "" });
      const input = asObject(content.input);
      this.#blocks.set(index, { block, sawDelta: false, input });
    }
  }

  #delta(index: number, delta: Json): void {
    const receiving = this.#blocks.get(index);
    if (!receiving) return;
    const { block } = receiving;
    if (delta.type === "signature_delta") {
      const signature = asString(delta.signature);
      if (signature) block.keep(signature);
      return;
    }
    const text = asString(delta.text) ?? asString(delta.thinking) ?? asString(delta.partial_json);
    if (!text) return;
    receiving.sawDelta = true;
    block.append(text);
  }

  #closeBlock(index: number): void {
    const receiving = this.#blocks.get(index);
    if (!receiving) return;
    this.#blocks.delete(index);
    const { block, input, sawDelta } = receiving;
    const given = input && !sawDelta ? JSON.stringify(input) : "{}";
    if (given !== "{}") block.append(given);
    if (block.kind === "toolCall" && !sawDelta && given === "{}") this.#bareCall = block;
    else block.close();
  }

  /** Something follows the call, so it was not what the output limit cut off. */
  #settleBareCall(): void {
    this.#bareCall?.close();
    this.#bareCall = undefined;
  }

  #messageDelta(event: Json): void {
    const delta = asObject(event.delta) ?? {};
    this.#stopReason = asString(delta.stop_reason) ?? this.#stopReason;
    const details = asObject(delta.stop_details);
    this.#refusal = asString(details?.explanation) ?? this.#refusal;
    this.#usage(event.usage);
  }

  /** Counts are totals so far; one that is missing or null says nothing new. */
  #usage(raw: unknown): void {
    const usage = asObject(raw);
    if (!usage) return;
    const counts: Partial<Usage> = {};
    if (usage.input_tokens != null) counts.input = tokenCount(usage.input_tokens);
    if (usage.output_tokens != null) counts.output = tokenCount(usage.output_tokens);
    if (usage.cache_read_input_tokens != null) {
      counts.cacheRead = tokenCount(usage.cache_read_input_tokens);
    }
    if (usage.cache_creation_input_tokens != null) {
      counts.cacheWrite = tokenCount(usage.cache_creation_input_tokens);
    }
    const thinking = tokenCount(asObject(usage.output_tokens_details)?.thinking_tokens);
    if (thinking > 0) counts.reasoning = thinking;
    this.#out.usage(counts);
  }

  #finish(): void {
    const out = this.#out;
    switch (this.#stopReason) {
      case undefined:
        out.failIfUnfinished();
        break;
      case "max_tokens":
        out.finish("length");
        break;
      case "refusal": {
        const why = this.#refusal ?? "The vendor's safety check stopped the reply.";
        out.fail(modelFailure("content_filter", why, { code: "refusal" }));
        break;
      }
      case "model_context_window_exceeded":
        out.fail(
          modelFailure("context_overflow", "The reply filled the model's context window.", {
            code: "model_context_window_exceeded",
          }),
        );
        break;
      default:
        this.#finishWhole();
    }
  }

  /** A call that nobody closed was cut off: it must not run as if it were whole. */
  #finishWhole(): void {
    this.#settleBareCall();
    const open = [...this.#blocks.values()].some(({ block }) => block.kind === "toolCall");
    if (open) this.#out.failIfUnfinished();
    // Of the vendor's own tools nothing is kept: what was said so far is sent back.
    else if (this.#stopReason === "pause_turn") this.#out.pause();
    else this.#out.finish("stop");
  }
}
