// Responses input items → neutral messages. Neighbouring items of the assistant are one
// message, as they were one reply.

import type {
  AssistantBlock,
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ThinkingBlock,
} from "../../message.ts";
import { emptyUsage } from "../../usage.ts";
import { WireRequestError } from "../../wire.ts";
import { fromDataUrl } from "../data-url.ts";
import { asArray, asObject, asString, parseObject, type Json } from "../json.ts";
import { joinCallId, mintItemId } from "./item-id.ts";
import { keepMessage, keepReasoning, reasoningText, unwrapForeign, WIRE } from "./kept-item.ts";

export function decodeInput(
  input: unknown,
  modelId: string,
): { system: string[]; messages: Message[] } {
  const decoder = new InputDecoder(modelId);
  if (typeof input === "string") decoder.message({ role: "user", content: input });
  else if (!Array.isArray(input)) throw new WireRequestError("`input` must be text or an array");
  else {
    for (const raw of input) {
      const item = asObject(raw);
      if (!item) throw new WireRequestError("each input item must be an object");
      decoder.item(item);
    }
  }
  return decoder;
}

class InputDecoder {
  readonly system: string[] = [];
  readonly messages: Message[] = [];
  #modelId: string;
  /** Neutral id and tool of each call, by the id that its output refers to. */
  #calls = new Map<string, { id: string; name: string }>();

  constructor(modelId: string) {
    this.#modelId = modelId;
  }

  item(item: Json): void {
    const type = asString(item.type) ?? "message";
    if (type === "message") this.message(item);
    else if (type === "function_call") this.#call(item);
    else if (type === "function_call_output") this.#output(item);
    else if (type === "reasoning") this.#reasoning(item);
    else throw new WireRequestError(`input items of type "${type}" are not supported`);
  }

  message(item: Json): void {
    const { role } = item;
    if (role === "assistant") this.#assistantText(item);
    else if (role === "user") {
      this.messages.push({ role, content: decodeContent(item.content), timestamp: 0 });
    } else if (role === "system" && this.messages.length === 0) {
      this.system.push(plainText(item.content));
    } else if (role === "system" || role === "developer") {
      const text = plainText(item.content);
      this.messages.push({ role: "developer", content: [{ type: "text", text }], timestamp: 0 });
    } else throw new WireRequestError(`unknown message role "${String(role)}"`);
  }

  #assistantText(item: Json): void {
    const kept = keepMessage(item);
    const content = item.content;
    const parts = typeof content === "string" ? [{ text: content }] : asArray(content);
    for (const part of parts) {
      const object = asObject(part);
      const text = asString(object?.text) ?? asString(object?.refusal) ?? "";
      const block: TextBlock = { type: "text", text };
      if (kept !== undefined) block.opaque = this.#opaque(kept);
      this.#assistant(block);
    }
  }

  #reasoning(item: Json): void {
    const text = reasoningText(item);
    const block: ThinkingBlock = { type: "thinking", text };
    const encrypted = asString(item.encrypted_content);
    const foreign = encrypted ? unwrapForeign(encrypted) : undefined;
    const kept = keepReasoning(item);
    if (foreign) block.opaque = foreign;
    else if (kept !== undefined) block.opaque = this.#opaque(kept);
    if (text === "" && encrypted) block.redacted = true;
    this.#assistant(block);
  }

  #call(item: Json): void {
    const callId = asString(item.call_id);
    const name = asString(item.name);
    if (!callId || !name) throw new WireRequestError("a function_call needs `call_id` and `name`");
    const itemId = asString(item.id);
    // An id that a server of ours made up says nothing; without it the call has its old name.
    const id = joinCallId(callId, itemId === mintItemId(callId) ? undefined : itemId);
    const raw = asString(item.arguments) ?? "";
    const args = raw.trim() === "" ? {} : parseObject(raw);
    this.#calls.set(callId, { id, name });
    this.#assistant({
      type: "toolCall",
      id,
      name,
      arguments: args ?? {},
      malformed: args ? undefined : raw,
    });
  }

  #output(item: Json): void {
    const callId = asString(item.call_id) ?? "";
    const call = this.#calls.get(callId);
    if (!call) throw new WireRequestError(`no function_call asks for the output "${callId}"`);
    this.messages.push({
      role: "toolResult",
      toolCallId: call.id,
      toolName: call.name,
      content: decodeContent(item.output),
      isError: false,
      timestamp: 0,
    });
  }

  #opaque(data: string): { wire: typeof WIRE; model: string; data: string } {
    return { wire: WIRE, model: this.#modelId, data };
  }

  #assistant(block: AssistantBlock): void {
    const last = this.messages.at(-1);
    const message = last?.role === "assistant" ? last : this.#newAssistant();
    message.content.push(block);
    if (block.type === "toolCall") message.stopReason = "toolUse";
  }

  #newAssistant(): AssistantMessage {
    const message: AssistantMessage = {
      role: "assistant",
      content: [],
      provider: "",
      model: this.#modelId,
      wire: WIRE,
      stopReason: "stop",
      usage: emptyUsage(),
      timestamp: 0,
    };
    this.messages.push(message);
    return message;
  }
}

function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  return asArray(content)
    .map((part) => asString(asObject(part)?.text) ?? "")
    .join("");
}

function decodeContent(content: unknown): (TextBlock | ImageBlock)[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return asArray(content).map((part): TextBlock | ImageBlock => {
    const object = asObject(part) ?? {};
    if (object.type === "input_image") return fromDataUrl(asString(object.image_url) ?? "");
    const text = asString(object.text);
    if (text === undefined) {
      throw new WireRequestError(`content of type "${String(object.type)}" is not supported`);
    }
    return { type: "text", text };
  });
}
