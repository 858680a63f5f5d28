// Ollama's lines (or a whole reply, which is one line) → neutral events.

import type { OpenBlock, ReplyAssembler } from "../../reply-assembler.ts";
import { tokenCount } from "../../usage.ts";
import type { FrameSink } from "../../wire.ts";
import { asArray, asObject, asString, type Json } from "../json.ts";
import { failureOfLine } from "./errors.ts";

export function decodeStream(out: ReplyAssembler): FrameSink {
  const reply = new OllamaReply(out);
  return {
    frame: ({ data }) => reply.line(asObject(JSON.parse(data)) ?? {}),
    end: () => out.failIfUnfinished(),
  };
}

export function decodeReply(body: unknown, out: ReplyAssembler): void {
  new OllamaReply(out).line(asObject(body) ?? {});
}

class OllamaReply {
  #out: ReplyAssembler;
  #prose: OpenBlock | undefined;

  constructor(out: ReplyAssembler) {
    this.#out = out;
  }

  line(line: Json): void {
    if (line.error !== undefined) {
      this.#out.fail(failureOfLine(line));
      return;
    }
    this.#out.start();
    const message = asObject(line.message);
    if (message) this.#message(message);
    if (line.done !== true) return;
    this.#out.usage({
      input: tokenCount(line.prompt_eval_count),
      output: tokenCount(line.eval_count),
    });
    this.#out.finish(line.done_reason === "length" ? "length" : "stop");
  }

  #message(message: Json): void {
    const thinking = asString(message.thinking);
    if (thinking) this.#proseOf("thinking").append(thinking);
    const text = asString(message.content);
    if (text) this.#proseOf("text").append(text);
    for (const item of asArray(message.tool_calls)) this.#call(asObject(item) ?? {});
  }

  /** Calls come whole; those of older servers have no id. */
  #call(call: Json): void {
    this.#closeProse();
    const fn = asObject(call.function) ?? {};
    const id = asString(call.id) || `call_${crypto.randomUUID().replaceAll("-", "")}`;
    const block = this.#out.openToolCall({ id, name: asString(fn.name) ?? "" });
    block.append(argumentText(fn.arguments));
    block.close();
  }

  #proseOf(kind: "text" | "thinking"): OpenBlock {
    if (this.#prose?.kind === kind) return this.#prose;
    this.#closeProse();
    this.#prose = kind === "text" ? this.#out.openText() : this.#out.openThinking();
    return this.#prose;
  }

  #closeProse(): void {
    this.#prose?.close();
    this.#prose = undefined;
  }
}

/** Servers that copy the API from memory send the arguments as text. */
function argumentText(value: unknown): string {
  return asString(value) ?? JSON.stringify(asObject(value) ?? {});
}
