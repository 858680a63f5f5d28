// Chat Completions chunks (or a whole reply) → neutral events.

import { modelFailure } from "../../error.ts";
import type { OpenBlock, ReplyAssembler } from "../../reply-assembler.ts";
import { tokenCount } from "../../usage.ts";
import type { Frame, FrameSink } from "../../wire.ts";
import { asArray, asNumber, asObject, asString, type Json } from "../json.ts";
import { failureOf } from "../vendor-error.ts";

/** Hosts disagree on where reasoning text goes; a chunk carries one of these at most. */
const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_text"] as const;

interface Call {
  id: string;
  block: OpenBlock;
}

export function decodeStream(out: ReplyAssembler): FrameSink {
  const reply = new CompletionsReply(out);
  return {
    frame: ({ data }: Frame) => {
      if (data.trim() === "[DONE]") reply.finish("stop");
      else reply.chunk(JSON.parse(data) as Json);
    },
    // The usage chunk comes behind the finish reason, so the end of the body ends the reply.
    end: () => reply.finish(undefined),
  };
}

export function decodeReply(body: unknown, out: ReplyAssembler): void {
  const reply = new CompletionsReply(out);
  reply.chunk(asObject(body) ?? {});
  reply.finish(undefined);
}

class CompletionsReply {
  #out: ReplyAssembler;
  #prose: OpenBlock | undefined;
  #calls = new Map<number, Call>();
  #finishReason: string | undefined;

  constructor(out: ReplyAssembler) {
    this.#out = out;
  }

  chunk(chunk: Json): void {
    const error = asObject(chunk.error);
    if (error) {
      this.#out.fail(failureOf(error));
      return;
    }
    this.#out.start();
    const id = asString(chunk.id);
    if (id) this.#out.responseId(id);
    const usage = asObject(chunk.usage);
    if (usage) this.#readUsage(usage);
    const choice = asObject(asArray(chunk.choices)[0]);
    if (!choice) return;
    const delta = asObject(choice.delta) ?? asObject(choice.message);
    if (delta) this.#readDelta(delta);
    this.#finishReason = asString(choice.finish_reason) ?? this.#finishReason;
  }

  /** `fallback` is the reason where the host closed the stream properly but gave none. */
  finish(fallback: "stop" | undefined): void {
    const reason = this.#finishReason ?? fallback;
    if (reason === undefined) this.#out.failIfUnfinished();
    else if (reason === "length") this.#out.finish("length");
    else if (reason === "content_filter") {
      this.#out.fail(
        modelFailure("content_filter", "The vendor's content filter stopped the reply."),
      );
    } else if (reason === "error") {
      this.#out.fail(modelFailure("overloaded", "The host ended the reply with an error."));
    } else this.#out.finish("stop");
  }

  #readDelta(delta: Json): void {
    for (const field of REASONING_FIELDS) {
      const text = asString(delta[field]);
      if (text) {
        this.#proseOf("thinking").append(text);
        break;
      }
    }
    const text = asString(delta.content) ?? asString(delta.refusal);
    if (text) this.#proseOf("text").append(text);
    const calls = asArray(delta.tool_calls);
    for (let at = 0; at < calls.length; at++) {
      const call = asObject(calls[at]);
      if (call) this.#readCall(call, asNumber(call.index) ?? at);
    }
  }

  #proseOf(kind: "text" | "thinking"): OpenBlock {
    if (this.#prose?.kind === kind) return this.#prose;
    this.#prose?.close();
    this.#prose = kind === "text" ? this.#out.openText() : this.#out.openThinking();
    return this.#prose;
  }

  #readCall(delta: Json, index: number): void {
    this.#prose?.close();
    this.#prose = undefined;
    const fn = asObject(delta.function) ?? {};
    const id = asString(delta.id);
    const name = asString(fn.name);
    let call = this.#calls.get(index);
    // Some hosts give every parallel call the index 0; a new id with a name is a new call.
    if (!call || (id && id !== call.id && name)) {
      call?.block.close();
      const given = id || `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
      call = { id: given, block: this.#out.openToolCall({ id: given, name: name ?? "" }) };
      this.#calls.set(index, call);
    }
    const args = fn.arguments;
    // Some hosts send the arguments as an object instead of as text.
    call.block.append(asString(args) ?? (asObject(args) ? JSON.stringify(args) : ""));
  }

  #readUsage(usage: Json): void {
    const prompt = asObject(usage.prompt_tokens_details) ?? {};
    const completion = asObject(usage.completion_tokens_details) ?? {};
    const cacheRead = tokenCount(prompt.cached_tokens ?? usage.prompt_cache_hit_tokens);
    const cacheWrite = tokenCount(prompt.cache_write_tokens);
    const reasoning = tokenCount(completion.reasoning_tokens);
    this.#out.usage({
      input: Math.max(0, tokenCount(usage.prompt_tokens) - cacheRead - cacheWrite),
      output: tokenCount(usage.completion_tokens),
      cacheRead,
      cacheWrite,
      ...(reasoning > 0 ? { reasoning } : {}),
    });
  }
}
