// Responses events (or a whole reply) → neutral events.

import { modelFailure, type ModelFailure } from "../../error.ts";
import type { ReplyAssembler } from "../../reply-assembler.ts";
import { tokenCount } from "../../usage.ts";
import type { Frame, FrameSink } from "../../wire.ts";
import { asArray, asNumber, asObject, asString, type Json } from "../json.ts";
import { failureOf } from "../vendor-error.ts";
import { OutputItem } from "./output-item.ts";

export function decodeStream(out: ReplyAssembler): FrameSink {
  const reply = new ResponsesReply(out);
  return {
    frame: ({ data }: Frame) => {
      // Some proxies add the other wire's end mark, or empty events to keep a line alive.
      if (data.trim() === "" || data.trim() === "[DONE]") return;
      const event = asObject(JSON.parse(data));
      if (!event) throw new SyntaxError("an event is not a JSON object");
      reply.event(event);
    },
    end: () => out.failIfUnfinished(),
  };
}

export function decodeReply(body: unknown, out: ReplyAssembler): void {
  const response = asObject(body) ?? {};
  const reply = new ResponsesReply(out);
  if (asString(response.status) === undefined && asObject(response.error)) {
    out.fail(failureOf(asObject(response.error)!));
  } else reply.end(response);
}

class ResponsesReply {
  #out: ReplyAssembler;
  /** By output index; hosts that leave it out are followed by item id, or in order. */
  #items = new Map<number, OutputItem>();

  constructor(out: ReplyAssembler) {
    this.#out = out;
  }

  event(event: Json): void {
    const type = asString(event.type) ?? "";
    switch (type) {
      case "response.created":
      case "response.queued":
      case "response.in_progress":
        this.#begin(asObject(event.response));
        break;
      case "response.output_item.added":
      case "response.output_item.done": {
        const item = asObject(event.item);
        if (!item) break;
        const state = this.#itemFor(event, item);
        if (type.endsWith("done")) state.done(item);
        else state.added(item);
        break;
      }
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        this.end(asObject(event.response) ?? {}, type.slice("response.".length));
        break;
      case "error":
        this.#out.fail(failureOfEvent(event));
        break;
      default:
        this.#find(event)?.event(type, event);
    }
  }

  /** `status` is what the event's name says; a whole reply says it itself. */
  end(response: Json, status = asString(response.status)): void {
    this.#begin(response);
    const usage = asObject(response.usage);
    if (usage) this.#readUsage(usage);
    this.#reconcile(asArray(response.output));
    const failure = failureOfStatus(response, status);
    if (failure) this.#out.fail(failure);
    else if (status === "incomplete") this.#out.finish("length");
    else if (status === "completed") this.#out.finish("stop");
    else this.#out.failIfUnfinished();
  }

  #begin(response: Json | undefined): void {
    this.#out.start();
    const id = asString(response?.id);
    if (id) this.#out.responseId(id);
  }

  /** What the stream left out (some servers send little more than the end) is in the whole. */
  #reconcile(output: unknown[]): void {
    for (let index = 0; index < output.length; index++) {
      const item = asObject(output[index]);
      if (!item) continue;
      const known = this.#byId(asString(item.id)) ?? this.#items.get(index);
      if (known) {
        if (known.type === asString(item.type)) known.done(item);
      } else this.#itemFor({ output_index: index }, item).done(item);
    }
  }

  #itemFor(event: Json, item: Json): OutputItem {
    const index = asNumber(event.output_index);
    const known = index === undefined ? this.#byId(asString(item.id)) : this.#items.get(index);
    if (known) return known;
    const state = new OutputItem(item, this.#out);
    this.#items.set(index ?? this.#items.size, state);
    return state;
  }

  #find(event: Json): OutputItem | undefined {
    const index = asNumber(event.output_index);
    if (index !== undefined) return this.#items.get(index);
    return this.#byId(asString(event.item_id)) ?? [...this.#items.values()].at(-1);
  }

  #byId(id: string | undefined): OutputItem | undefined {
    if (!id) return undefined;
    for (const item of this.#items.values()) if (item.id === id) return item;
    return undefined;
  }

  #readUsage(usage: Json): void {
    const input = asObject(usage.input_tokens_details) ?? {};
    const output = asObject(usage.output_tokens_details) ?? {};
    const cacheRead = tokenCount(input.cached_tokens);
    const cacheWrite = tokenCount(input.cache_write_tokens);
    const reasoning = tokenCount(output.reasoning_tokens);
    this.#out.usage({
      input: Math.max(0, tokenCount(usage.input_tokens) - cacheRead - cacheWrite),
      output: tokenCount(usage.output_tokens),
      cacheRead,
      cacheWrite,
      reasoning: reasoning > 0 ? reasoning : undefined,
    });
  }
}

function failureOfStatus(response: Json, status: string | undefined): ModelFailure | undefined {
  if (status === "failed") {
    const error = asObject(response.error);
    return error
      ? failureOf(error)
      : modelFailure("overloaded", "The vendor reported a failure without a reason.");
  }
  if (status === "cancelled") {
    return modelFailure("protocol", "The vendor cancelled the reply.", { code: "cancelled" });
  }
  const reason = asString(asObject(response.incomplete_details)?.reason);
  if (status === "incomplete" && reason === "content_filter") {
    return modelFailure("content_filter", "The vendor's content filter stopped the reply.", {
      code: reason,
    });
  }
  return undefined;
}

/** Documented as flat, seen nested; the flat form's own `type` says nothing but "error". */
function failureOfEvent(event: Json): ModelFailure {
  const { type: _type, sequence_number: _number, ...flat } = event;
  return failureOf(asObject(event.error) ?? flat);
}
