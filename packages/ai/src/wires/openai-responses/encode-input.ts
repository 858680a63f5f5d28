// Neutral history → Responses input items. One assistant message becomes several items;
// which of them may be replayed with their ids depends on what could be replayed before.

import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultMessage,
} from "../../message.ts";
import { textOf } from "../../message.ts";
import type { Model } from "../../model.ts";
import { toDataUrl } from "../data-url.ts";
import type { Json } from "../json.ts";
import { fitItemId, isVendorId, splitCallId } from "./item-id.ts";
import { keptMessage, keptReasoning } from "./kept-item.ts";
import type { ResponsesQuirks } from "./quirks.ts";

export interface InputOptions {
  model: Model;
  quirks: ResponsesQuirks;
}

/** `history` is repaired: results follow their calls, foreign opaque bytes are gone. */
export function encodeInput(history: readonly Message[], options: InputOptions): Json[] {
  const encoder = new InputEncoder(options);
  for (const message of history) encoder.add(message);
  return encoder.items;
}

class InputEncoder {
  readonly items: Json[] = [];
  #model: Model;
  #quirks: ResponsesQuirks;
  /** The vendor refuses an input in which an item id occurs twice. */
  #usedIds = new Set<string>();

  constructor({ model, quirks }: InputOptions) {
    this.#model = model;
    this.#quirks = quirks;
  }

  add(message: Message): void {
    if (message.role === "assistant") this.#assistant(message);
    else if (message.role === "toolResult") this.items.push(encodeResult(message));
    else if (message.role === "user") {
      const content = message.content.map(encodePart);
      this.items.push({ type: "message", role: "user", content });
    } else {
      const role = this.#quirks.supportsDeveloperRole ? "developer" : "system";
      const content = [{ type: "input_text", text: textOf(message) }];
      this.items.push({ type: "message", role, content });
    }
  }

  #assistant(message: AssistantMessage): void {
    const own = message.wire === this.#model.wire && message.model === this.#model.id;
    // The vendor ties an item to the reasoning before it. Where that cannot be replayed,
    // the items behind it go without their ids, as if they were new.
    let replaysIds = own;
    const reasoning: Json[] = [];
    for (const block of message.content) {
      if (block.type === "thinking") {
        const item = this.#reasoning(block);
        if (item) reasoning.push(item);
        else replaysIds = false;
        continue;
      }
      if (block.type === "text" && block.text.trim() === "") continue;
      // Reasoning is only valid in front of the item it led to; at the end it is left out.
      for (const item of reasoning.splice(0)) this.#pushReasoning(item);
      if (block.type === "text") this.#text(block, replaysIds);
      else this.#call(block, replaysIds);
    }
  }

  #reasoning(block: ThinkingBlock): Json | undefined {
    const kept = keptReasoning(block.opaque);
    if (!kept || this.#usedIds.has(kept.id)) return undefined;
    // Nothing is stored at the vendor, so an id without its content refers to nothing.
    if (kept.encrypted_content === undefined && !this.#quirks.replaysPlainReasoning)
      return undefined;
    return { type: "reasoning", ...kept };
  }

  #pushReasoning(item: Json): void {
    this.#usedIds.add(item.id as string);
    this.items.push(item);
  }

  #text(block: TextBlock, replaysIds: boolean): void {
    const kept = replaysIds ? keptMessage(block.opaque) : {};
    const part = { type: "output_text", text: block.text, annotations: [] };
    const last = this.items.at(-1);
    // The parts of one message item are blocks of their own in the neutral message.
    if (kept.id !== undefined && last?.type === "message" && last.id === kept.id) {
      (last.content as Json[]).push(part);
      return;
    }
    const id = kept.id !== undefined && isVendorId(kept.id) ? this.#firstUse(kept.id) : undefined;
    this.items.push({
      type: "message",
      role: "assistant",
      id,
      status: id === undefined ? undefined : "completed",
      content: [part],
      phase: kept.phase,
    });
  }

  #call(block: ToolCallBlock, replaysIds: boolean): void {
    const { callId, itemId } = splitCallId(block.id);
    const id = replaysIds && itemId ? this.#firstUse(fitItemId(itemId)) : undefined;
    this.items.push({
      type: "function_call",
      id,
      call_id: callId,
      name: block.name,
      arguments: JSON.stringify(block.arguments),
    });
  }

  #firstUse(id: string): string | undefined {
    if (this.#usedIds.has(id)) return undefined;
    this.#usedIds.add(id);
    return id;
  }
}

function encodeResult(result: ToolResultMessage): Json {
  const hasImages = result.content.some((block) => block.type === "image");
  return {
    type: "function_call_output",
    call_id: splitCallId(result.toolCallId).callId,
    output: hasImages ? result.content.map(encodePart) : textOf(result),
  };
}

function encodePart(block: TextBlock | ImageBlock): Json {
  return block.type === "text"
    ? { type: "input_text", text: block.text }
    : { type: "input_image", detail: "auto", image_url: toDataUrl(block) };
}
