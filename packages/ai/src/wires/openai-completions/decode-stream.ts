// Chat Completions chunks (or a whole reply) → neutral events.

import { modelFailure } from "../../error.ts";
import type { OpenBlock, ReplyAssembler } from "../../reply-assembler.ts";
import { tokenCount } from "../../usage.ts";
import type { Frame, FrameSink } from "../../wire.ts";
import { asArray, asNumber, asObject, asString, parseObject, type Json } from "../json.ts";
import { failureOf } from "../vendor-error.ts";

/** Hosts disagree on where reasoning text goes; a chunk carries one of these at most. */
const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_text"] as const;

interface Call {
  id: string;
  block: OpenBlock;
  /** The argument text so far. */
  text: string;
}

export function decodeStream(out: ReplyAssembler): FrameSink {
  const reply = new CompletionsReply(out);
  return {
    frame: ({ event, data }: Frame) => {
      // Some proxies send empty events to keep a line alive.
      if (data.trim() === "") return;
      if (data.trim() === "[DONE]") {
        reply.finish("stop");
        return;
      }
      const chunk = asObject(JSON.parse(data));
      if (!chunk) throw new SyntaxError("a chunk is not a JSON object");
      if (event === "error") reply.fail(chunk.error ?? chunk);
      else reply.chunk(chunk);
    },
    // The usage chunk comes behind the finish reason, so the end of the body ends the reply.
    end: () => reply.finish(undefined),
  };
}

export function decodeReply(body: unknown, out: ReplyAssembler): void {
  const reply = new CompletionsReply(out);
  const whole = asObject(body) ?? {};
  reply.chunk(whole);
  // A whole message is complete, also where the host does not say why it ended.
  const message = asObject(asObject(asArray(whole.choices)[0])?.message);
  reply.finish(message ? "stop" : undefined);
}

class CompletionsReply {
  #out: ReplyAssembler;
  #prose: OpenBlock | undefined;
  #callAt = new Map<number, Call>();
  #callOf = new Map<string, Call>();
  #finishReason: string | undefined;

  constructor(out: ReplyAssembler) {
    this.#out = out;
  }

  chunk(chunk: Json): void {
    if (chunk.error !== undefined && chunk.error !== null) {
      this.fail(chunk.error);
      return;
    }
    this.#out.start();
    const id = asString(chunk.id);
    if (id) this.#out.responseId(id);
    const choice = asObject(asArray(chunk.choices)[0]);
    const usage = asObject(chunk.usage) ?? asObject(choice?.usage);
    if (usage) this.#readUsage(usage);
    if (!choice) return;
    const delta = asObject(choice.delta) ?? asObject(choice.message);
    if (delta) this.#readDelta(delta);
    this.#finishReason = asString(choice.finish_reason) ?? this.#finishReason;
  }

  fail(error: unknown): void {
    this.#out.fail(failureOf(asObject(error) ?? { message: String(error) }));
  }

  /**
   * `fallback` is the reason where the host closed the stream properly but gave none: enough for what
   * was said, but a mark of the end after nothing is a server that has failed.
   */
  finish(fallback: "stop" | undefined): void {
    const isSilent = this.#out.message.content.length === 0;
    const reason = this.#finishReason ?? (isSilent ? undefined : fallback);
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
    this.#readContent(delta.content);
    const refusal = asString(delta.refusal);
    if (refusal) this.#proseOf("text").append(refusal);
    const calls = asArray(delta.tool_calls);
    for (let at = 0; at < calls.length; at++) {
      const call = asObject(calls[at]);
      if (call) this.#readCall(call, asNumber(call.index) ?? at);
    }
  }

  /** Text, or (with some hosts) a list of text and thinking parts. */
  #readContent(content: unknown): void {
    if (typeof content === "string") {
      if (content) this.#proseOf("text").append(content);
      return;
    }
    for (const part of asArray(content)) {
      const object = asObject(part);
      const isThinking = object?.type === "thinking";
      const inner = isThinking ? textOfParts(object.thinking) : asString(object?.text);
      if (inner) this.#proseOf(isThinking ? "thinking" : "text").append(inner);
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
    const id = asString(delta.id) || undefined;
    const name = asString(fn.name);
    const call = this.#continuedCall(index, id, name) ?? this.#openCall(id, name);
    this.#callAt.set(index, call);
    const args = fn.arguments;
    // Some hosts send the arguments as an object instead of as text.
    const text = asString(args) ?? (asObject(args) ? JSON.stringify(args) : "");
    call.text += text;
    call.block.append(text);
  }

  /**
   * The call that a delta goes on with, undefined where it begins one. Some hosts give
   * every parallel call the index 0, some send no ids, some repeat id and name each time.
   */
  #continuedCall(
    index: number,
    id: string | undefined,
    name: string | undefined,
  ): Call | undefined {
    const last = this.#callAt.get(index);
    const same = id === undefined ? undefined : this.#callOf.get(id);
    if (!last) return name ? undefined : same;
    if (id === last.id) return last;
    if (id !== undefined) return same ?? (name ? undefined : last);
    // Without ids, a name behind arguments that are whole already is the next call's.
    return name && parseObject(last.text) ? undefined : last;
  }

  #openCall(id: string | undefined, name: string | undefined): Call {
    const given = id ?? `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
    const block = this.#out.openToolCall({ id: given, name: name ?? "" });
    const call = { id: given, block, text: "" };
    this.#callOf.set(given, call);
    return call;
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
      reasoning: reasoning > 0 ? reasoning : undefined,
    });
  }
}

function textOfParts(value: unknown): string {
  if (typeof value === "string") return value;
  return asArray(value)
    .map((part) => asString(asObject(part)?.text) ?? "")
    .join("");
}
