// One output item while it arrives: a message, a reasoning item or a function call.
// Deltas may be missing and the closing events then bring the whole; either way each
// text is reported once.

import type { OpenBlock, ReplyAssembler } from "../../reply-assembler.ts";
import { asArray, asNumber, asObject, asString, type Json } from "../json.ts";
import { joinCallId } from "./item-id.ts";
import { keepMessage, keepReasoning, PART_SEPARATOR, reasoningText } from "./kept-item.ts";

export class OutputItem {
  readonly type: string;
  readonly id: string | undefined;
  #out: ReplyAssembler;
  /** Text blocks by content index; a reasoning item and a call have one block, at 0. */
  #blocks = new Map<number, OpenBlock>();
  #part: { key: string; text: string } | undefined;
  #closed = false;

  constructor(item: Json, out: ReplyAssembler) {
    this.type = asString(item.type) ?? "";
    this.id = asString(item.id);
    this.#out = out;
  }

  added(item: Json): void {
    if (this.type === "function_call") this.#call(item);
  }

  event(type: string, event: Json): void {
    const index = asNumber(event.content_index) ?? 0;
    switch (type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        if (this.type === "message") this.#text(index).append(asString(event.delta) ?? "");
        break;
      case "response.output_text.done":
        if (this.type === "message") this.#settle(index, asString(event.text));
        break;
      case "response.refusal.done":
        if (this.type === "message") this.#settle(index, asString(event.refusal));
        break;
      case "response.content_part.done":
        if (this.type === "message") this.#settle(index, textOfPart(event.part));
        break;
      case "response.reasoning_summary_text.delta":
        this.#think(`summary ${asNumber(event.summary_index) ?? 0}`, event.delta);
        break;
      case "response.reasoning_summary_text.done":
        this.#thought(`summary ${asNumber(event.summary_index) ?? 0}`, event.text);
        break;
      case "response.reasoning_text.delta":
        this.#think(`content ${index}`, event.delta);
        break;
      case "response.reasoning_text.done":
        this.#thought(`content ${index}`, event.text);
        break;
      case "response.function_call_arguments.delta":
        this.#blocks.get(0)?.append(asString(event.delta) ?? "");
        break;
      case "response.function_call_arguments.done":
        this.#settle(0, asString(event.arguments));
        break;
    }
  }

  done(item: Json): void {
    if (this.#closed) return;
    if (this.type === "message") this.#messageDone(item);
    else if (this.type === "reasoning") this.#reasoningDone(item);
    else if (this.type === "function_call") {
      const args = item.arguments;
      // Some hosts send the arguments as an object instead of as text.
      this.#call(item).settle(asString(args) ?? (asObject(args) ? JSON.stringify(args) : ""));
    }
    // A call that the vendor itself calls unfinished stays open: the end of the reply
    // then treats it as cut off, so that it can never run with half its arguments.
    if (this.type === "function_call" && asString(item.status) === "incomplete") return;
    this.#closed = true;
    for (const block of this.#blocks.values()) block.close();
  }

  #messageDone(item: Json): void {
    const parts = asArray(item.content);
    for (let index = 0; index < parts.length; index++) {
      const text = textOfPart(parts[index]);
      if (text) this.#settle(index, text);
    }
    const kept = keepMessage(item);
    if (kept !== undefined) for (const block of this.#blocks.values()) block.keep(kept);
  }

  #reasoningDone(item: Json): void {
    const text = reasoningText(item);
    if (text !== "") this.#thinking().settle(text);
    const kept = keepReasoning(item);
    if (kept === undefined) return;
    // Without any text the block exists only to be replayed.
    if (this.#blocks.size === 0) {
      if (!asString(item.encrypted_content)) return;
      this.#blocks.set(0, this.#out.openThinking({ redacted: true }));
    }
    this.#blocks.get(0)?.keep(kept);
  }

  #call(item: Json): OpenBlock {
    const open = this.#blocks.get(0);
    if (open) return open;
    const callId =
      asString(item.call_id) || `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
    const id = joinCallId(callId, this.id);
    const block = this.#out.openToolCall({ id, name: asString(item.name) ?? "" });
    this.#blocks.set(0, block);
    return block;
  }

  #text(index: number): OpenBlock {
    let block = this.#blocks.get(index);
    if (!block) {
      block = this.#out.openText();
      this.#blocks.set(index, block);
    }
    return block;
  }

  #settle(index: number, whole: string | undefined): void {
    // An empty part has nothing to show; a block is opened for text only.
    if (whole === undefined || (whole === "" && !this.#blocks.has(index))) return;
    if (this.type === "message") this.#text(index).settle(whole);
    else this.#blocks.get(index)?.settle(whole);
  }

  #thinking(): OpenBlock {
    let block = this.#blocks.get(0);
    if (!block) {
      block = this.#out.openThinking();
      this.#blocks.set(0, block);
    }
    return block;
  }

  #think(key: string, delta: unknown): void {
    const text = asString(delta);
    if (this.type !== "reasoning" || !text) return;
    const block = this.#thinking();
    if (this.#part && this.#part.key !== key) block.append(PART_SEPARATOR);
    if (this.#part?.key !== key) this.#part = { key, text: "" };
    this.#part.text += text;
    block.append(text);
  }

  /** The whole text of a part; news only as far as its deltas did not bring it. */
  #thought(key: string, whole: unknown): void {
    const text = asString(whole);
    if (!text) return;
    const have = this.#part?.key === key ? this.#part.text : "";
    if (text.startsWith(have)) this.#think(key, text.slice(have.length));
  }
}

function textOfPart(part: unknown): string | undefined {
  const object = asObject(part);
  return asString(object?.text) ?? asString(object?.refusal);
}
