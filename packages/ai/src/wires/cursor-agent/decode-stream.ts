// The service's frames → neutral events. Text, thoughts and calls come whole or in pieces, one after
// the other; what was used comes while they do, and again at the end of the turn.

import { modelFailure } from "../../error.ts";
import type { OpenBlock, ReplyAssembler } from "../../reply-assembler.ts";
import type { Frame, FrameSink } from "../../wire.ts";
import { asNumber, asObject, asString, parseObject } from "../json.ts";
import { failureAtEnd } from "./errors.ts";

export function decodeStream(out: ReplyAssembler): FrameSink {
  const reply = new AgentReply(out);
  return { frame: (frame) => reply.frame(frame), end: () => out.failIfUnfinished() };
}

/** There is no other form than the stream. */
export function decodeReply(_body: unknown, out: ReplyAssembler): void {
  out.fail(
    modelFailure("protocol", "Cursor's service answered with a document instead of a stream."),
  );
}

class AgentReply {
  readonly #out: ReplyAssembler;
  #open: OpenBlock | undefined;
  #output = 0;
  #context = 0;

  constructor(out: ReplyAssembler) {
    this.#out = out;
  }

  frame({ event, data }: Frame): void {
    switch (event) {
      case "text":
      case "thinking":
        this.#say(event, data);
        break;
      case "thought_ended":
        this.#close();
        break;
      case "call":
        this.#call(data);
        break;
      case "tokens":
        this.#output += Number(data);
        this.#count();
        break;
      case "context":
        this.#context = Number(data);
        this.#count();
        break;
      case "turn_ended":
        this.#total(data);
        this.#out.finish("stop");
        break;
      case "calls_wait":
        this.#out.finish("toolUse");
        break;
      case "end": {
        const failure = failureAtEnd(data);
        if (failure) this.#out.fail(failure);
        else this.#out.failIfUnfinished();
        break;
      }
      default: // What a later server adds is no loss to this client.
    }
  }

  #say(kind: "text" | "thinking", text: string): void {
    if (text === "") return;
    if (this.#open?.kind !== kind) {
      this.#close();
      this.#open = kind === "text" ? this.#out.openText() : this.#out.openThinking();
    }
    this.#open.append(text);
  }

  #call(data: string): void {
    this.#close();
    const call = parseObject(data) ?? {};
    const id = asString(call.id) ?? "";
    const block = this.#out.openToolCall({ id, name: asString(call.name) ?? "" });
    const given = asObject(call.arguments) ?? {};
    if (Object.keys(given).length > 0) block.settle(JSON.stringify(given));
    block.close();
  }

  #close(): void {
    this.#open?.close();
    this.#open = undefined;
  }

  /** Of the context, what was not said now was there before. */
  #count(): void {
    this.#out.usage({ input: Math.max(0, this.#context - this.#output), output: this.#output });
  }

  #total(data: string): void {
    const total = parseObject(data) ?? {};
    const input = asNumber(total.input);
    const output = asNumber(total.output);
    if (input === undefined && output === undefined) return;
    const reasoning = asNumber(total.reasoning);
    this.#out.usage({
      input: input ?? 0,
      output: output ?? this.#output,
      cacheRead: asNumber(total.cacheRead) ?? 0,
      cacheWrite: asNumber(total.cacheWrite) ?? 0,
    });
    if (reasoning !== undefined) this.#out.usage({ reasoning });
  }
}
