// ConverseStream events (or a whole reply) → neutral events.

import { modelFailure } from "../../error.ts";
import type { OpenBlock, ReplyAssembler } from "../../reply-assembler.ts";
import { tokenCount } from "../../usage.ts";
import type { FrameSink } from "../../wire.ts";
import { asArray, asNumber, asObject, asString, parseObject, type Json } from "../json.ts";
import { failureOfException } from "./errors.ts";

export function decodeStream(out: ReplyAssembler): FrameSink {
  const reply = new ConverseReply(out);
  return {
    frame: ({ event, data, failed }) => {
      if (failed) out.fail(failureOfException(event, asString(parseObject(data)?.message)));
      else reply.event(event, asObject(JSON.parse(data)) ?? {});
    },
    // The counts come behind the reason; a reply that lacks only them is whole.
    end: () => reply.finish(),
  };
}

/** A whole reply is its own stream, told at once. */
export function decodeReply(body: unknown, out: ReplyAssembler): void {
  const reply = new ConverseReply(out);
  const whole = asObject(body) ?? {};
  reply.event("messageStart", {});
  const content = asArray(asObject(asObject(whole.output)?.message)?.content);
  content.forEach((item, contentBlockIndex) => {
    const block = asObject(item) ?? {};
    const at = { contentBlockIndex };
    const toolUse = asObject(block.toolUse);
    if (toolUse) reply.event("contentBlockStart", { ...at, start: { toolUse } });
    for (const delta of deltasOf(block)) reply.event("contentBlockDelta", { ...at, delta });
    reply.event("contentBlockStop", at);
  });
  if (asString(whole.stopReason)) reply.event("messageStop", whole);
  reply.event("metadata", whole);
  reply.finish();
}

function deltasOf(block: Json): Json[] {
  const toolUse = asObject(block.toolUse);
  if (toolUse) {
    const input = JSON.stringify(asObject(toolUse.input) ?? {});
    return input === "{}" ? [] : [{ toolUse: { input } }];
  }
  const reasoning = asObject(block.reasoningContent);
  if (!reasoning) return [block];
  const { text, signature } = asObject(reasoning.reasoningText) ?? {};
  return [reasoning, { text }, { signature }].map((reasoningContent) => ({ reasoningContent }));
}

class ConverseReply {
  #out: ReplyAssembler;
  #blocks = new Map<number, OpenBlock>();
  /** Calls that have brought arguments. */
  #given = new Set<OpenBlock>();
  /** A call that was closed without arguments: whole, or cut off, as the reason will tell. */
  #bareCall: OpenBlock | undefined;
  #stopReason: string | undefined;

  constructor(out: ReplyAssembler) {
    this.#out = out;
  }

  event(name: string, event: Json): void {
    const index = asNumber(event.contentBlockIndex) ?? 0;
    switch (name) {
      case "messageStart":
        this.#out.start();
        break;
      case "contentBlockStart":
        this.#openCall(index, asObject(asObject(event.start)?.toolUse));
        break;
      case "contentBlockDelta":
        this.#delta(index, asObject(event.delta) ?? {});
        break;
      case "contentBlockStop":
        this.#close(index);
        break;
      case "messageStop":
        this.#stopReason = asString(event.stopReason) ?? this.#stopReason;
        break;
      case "metadata":
        this.#usage(asObject(event.usage));
        // Nothing follows the counts of a reply that has ended.
        if (this.#stopReason !== undefined) this.finish();
        break;
      default: // What the vendor adds later.
    }
  }

  /** Only calls announce themselves; other blocks begin with their first piece. */
  #openCall(index: number, toolUse: Json | undefined): void {
    if (!toolUse) return;
    this.#settleBareCall();
    const id = asString(toolUse.toolUseId) || `tooluse_${crypto.randomUUID().replaceAll("-", "")}`;
    this.#blocks.set(index, this.#out.openToolCall({ id, name: asString(toolUse.name) ?? "" }));
  }

  #delta(index: number, delta: Json): void {
    const text = asString(delta.text);
    const input = asString(asObject(delta.toolUse)?.input);
    const reasoning = asObject(delta.reasoningContent);
    if (text) this.#prose(index, "text").append(text);
    else if (input) {
      const call = this.#blocks.get(index);
      if (call?.kind !== "toolCall") return;
      call.append(input);
      this.#given.add(call);
    } else if (reasoning) this.#reasoning(index, reasoning);
  }

  #reasoning(index: number, reasoning: Json): void {
    const text = asString(reasoning.text);
    const signature = asString(reasoning.signature);
    const redacted = asString(reasoning.redactedContent);
    if (text) this.#prose(index, "thinking").append(text);
    if (signature) this.#prose(index, "thinking").keep(signature);
    if (redacted) this.#prose(index, "redacted").keep(redacted);
  }

  #prose(index: number, kind: "text" | "thinking" | "redacted"): OpenBlock {
    const open = this.#blocks.get(index);
    if (open) return open;
    this.#settleBareCall();
    const block =
      kind === "text"
        ? this.#out.openText()
        : this.#out.openThinking({ redacted: kind === "redacted" });
    this.#blocks.set(index, block);
    return block;
  }

  #close(index: number): void {
    const block = this.#blocks.get(index);
    if (!block) return;
    this.#blocks.delete(index);
    if (block.kind === "toolCall" && !this.#given.has(block)) this.#bareCall = block;
    else block.close();
  }

  /** Something follows the call, so it was not what the output limit cut off. */
  #settleBareCall(): void {
    this.#bareCall?.close();
    this.#bareCall = undefined;
  }

  #usage(usage: Json | undefined): void {
    if (!usage) return;
    this.#out.usage({
      input: tokenCount(usage.inputTokens),
      output: tokenCount(usage.outputTokens),
      cacheRead: tokenCount(usage.cacheReadInputTokens),
      cacheWrite: tokenCount(usage.cacheWriteInputTokens),
    });
  }

  finish(): void {
    const out = this.#out;
    const code = this.#stopReason;
    switch (code) {
      case undefined:
        out.failIfUnfinished();
        break;
      case "max_tokens":
        out.finish("length");
        break;
      case "guardrail_intervened":
      case "content_filtered":
        out.fail(
          modelFailure("content_filter", "A filter at Bedrock stopped the reply.", { code }),
        );
        break;
      case "model_context_window_exceeded":
        out.fail(
          modelFailure("context_overflow", "The reply filled the model's context window.", {
            code,
          }),
        );
        break;
      case "malformed_model_output":
      case "malformed_tool_use":
        out.fail(modelFailure("protocol", `The model ended its reply (${code}).`, { code }));
        break;
      default:
        this.#finishWhole();
    }
  }

  /** A call that nobody closed was cut off: it must not run as if it were whole. */
  #finishWhole(): void {
    this.#settleBareCall();
    const open = [...this.#blocks.values()].some(({ kind }) => kind === "toolCall");
    if (open) this.#out.failIfUnfinished();
    else this.#out.finish("stop");
  }
}
