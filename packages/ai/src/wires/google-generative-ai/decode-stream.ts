// generateContent chunks (or a whole response) → neutral events.

import type { OpenBlock, ReplyAssembler } from "../../reply-assembler.ts";
import { tokenCount } from "../../usage.ts";
import type { FrameSink } from "../../wire.ts";
import { asArray, asObject, asString, type Json } from "../json.ts";
import { mintCallId } from "./call-ids.ts";
import { failureOfError, failureOfFinish, failureOfPrompt, isKnownFailure } from "./errors.ts";

export function decodeStream(out: ReplyAssembler): FrameSink {
  const reply = new GeminiReply(out);
  return {
    frame: ({ data }) => {
      // The vendor has no such mark, but hosts that translate other wires leave it in.
      if (data.trim() !== "[DONE]") reply.chunk(asObject(JSON.parse(data)) ?? {});
    },
    // Chunks may follow the one with the reason, so the end of the body ends the reply.
    end: () => reply.finish(),
  };
}

/** One response, or the array of chunks that the vendor sends a client without SSE. */
export function decodeReply(body: unknown, out: ReplyAssembler): void {
  const reply = new GeminiReply(out);
  for (const chunk of Array.isArray(body) ? body : [body]) reply.chunk(asObject(chunk) ?? {});
  reply.finish();
}

class GeminiReply {
  #out: ReplyAssembler;
  #prose: OpenBlock | undefined;
  #finishReason: string | undefined;
  #finishMessage: string | undefined;

  constructor(out: ReplyAssembler) {
    this.#out = out;
  }

  chunk(chunk: Json): void {
    if (this.#out.ended) return;
    const error = asObject(chunk.error);
    if (error) {
      this.#out.fail(failureOfError(error));
      return;
    }
    this.#out.start();
    const id = asString(chunk.responseId);
    if (id) this.#out.responseId(id);
    const usage = asObject(chunk.usageMetadata);
    if (usage) this.#readUsage(usage);
    const feedback = asObject(chunk.promptFeedback);
    const blocked = asString(feedback?.blockReason);
    if (blocked) {
      this.#out.fail(failureOfPrompt(blocked, asString(feedback?.blockReasonMessage)));
      return;
    }
    const candidate = asObject(asArray(chunk.candidates)[0]);
    if (!candidate) return;
    for (const part of asArray(asObject(candidate.content)?.parts)) {
      const object = asObject(part);
      if (object) this.#readPart(object);
    }
    this.#finishReason = asString(candidate.finishReason) ?? this.#finishReason;
    this.#finishMessage = asString(candidate.finishMessage) ?? this.#finishMessage;
  }

  finish(): void {
    const reason = this.#finishReason;
    if (reason === undefined || reason === "FINISH_REASON_UNSPECIFIED") {
      this.#out.failIfUnfinished();
    } else if (reason === "STOP") this.#out.finish("stop");
    // `CONTINUATION` is the per-request limit; a reply that stops there is cut off as well.
    else if (reason === "MAX_TOKENS" || reason === "CONTINUATION") this.#out.finish("length");
    // Calls and text come whole on this wire: what is there is not worth less for a new word.
    else if (!isKnownFailure(reason) && this.#out.message.content.length > 0) {
      this.#out.finish("stop");
    } else this.#out.fail(failureOfFinish(reason, this.#finishMessage));
  }

  #readPart(part: Json): void {
    const call = asObject(part.functionCall);
    const signature = asString(part.thoughtSignature);
    if (call) {
      this.#closeProse();
      const id = asString(call.id) || mintCallId();
      const block = this.#out.openToolCall({ id, name: asString(call.name) ?? "" });
      block.append(JSON.stringify(asObject(call.args) ?? {}));
      if (signature) block.keep(signature);
      block.close();
      return;
    }
    const text = asString(part.text);
    // Code that ran at the vendor's and generated media have no neutral form.
    if (text === undefined || (text === "" && !signature)) return;
    const block = this.#proseOf(part.thought === true ? "thinking" : "text");
    block.append(text);
    if (!signature) return;
    // A signature ends its part; what follows is another part and must not borrow it.
    block.keep(signature);
    this.#closeProse();
  }

  /** The pieces of one part arrive as parts of their own, its signature on the last. */
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

  #readUsage(usage: Json): void {
    const cacheRead = tokenCount(usage.cachedContentTokenCount);
    const reasoning = tokenCount(usage.thoughtsTokenCount);
    const prompt = tokenCount(usage.promptTokenCount) + tokenCount(usage.toolUsePromptTokenCount);
    this.#out.usage({
      input: Math.max(0, prompt - cacheRead),
      output: tokenCount(usage.candidatesTokenCount) + reasoning,
      cacheRead,
      reasoning: reasoning > 0 ? reasoning : undefined,
    });
  }
}
