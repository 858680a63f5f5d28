// A repaired conversation → the `messages` of a Messages body. The vendor's rules that
// shape it: user and assistant alternate, the user begins; the results of a turn stand
// first in the message right behind it; no content is blank; no reply ends in blanks or
// in thinking; thinking is signed by this very model or it is nothing.

import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ToolResultMessage,
} from "../../message.ts";
import type { Model } from "../../model.ts";
import { repairConversation } from "../../repair.ts";
import type { Json } from "../json.ts";
import type { AnthropicQuirks } from "./quirks.ts";
import { createToolIds } from "./tool-ids.ts";

export interface WireMessage {
  role: "user" | "assistant";
  content: Json[];
}

const IMAGE_TYPES = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
const SEE_PICTURE = "(see the attached image)";
const NOTHING_SAID = "(The conversation continues from here.)";

export function encodeMessages(
  messages: readonly Message[],
  model: Model,
  quirks: AnthropicQuirks,
): WireMessage[] {
  const history = repairConversation(messages, {
    model,
    toolCallId: createToolIds(),
    userFirst: true,
  });
  const out: WireMessage[] = [];
  for (let at = 0; at < history.length; at++) {
    const message = history[at]!;
    if (message.role === "assistant")
      add(out, "assistant", encodeAssistant(message, model, quirks));
    else if (message.role === "toolResult") at = encodeResults(history, at, quirks, out) - 1;
    else add(out, "user", encodeContent(message.content));
  }
  if (out.length === 0) add(out, "user", [{ type: "text", text: NOTHING_SAID }]);
  return out;
}

/**
 * Appends, joining what has the same role. Replies that came to nothing leave two user
 * messages side by side, and the other way about.
 */
function add(out: WireMessage[], role: WireMessage["role"], content: Json[]): void {
  if (content.length === 0) return;
  const last = out.at(-1);
  if (last?.role === role) last.content.push(...content);
  else out.push({ role, content });
}

/** A result that tells an error holds text only: its pictures follow the last result. */
function encodeResults(
  history: readonly Message[],
  first: number,
  quirks: AnthropicQuirks,
  out: WireMessage[],
): number {
  const pictures: Json[] = [];
  let at = first;
  for (; history[at]?.role === "toolResult"; at++) {
    const { toolCallId, content, isError } = history[at] as ToolResultMessage;
    const result: Json = { type: "tool_result", tool_use_id: toolCallId };
    if (quirks.requiresToolResultId) result.id = toolCallId;
    const blocks = encodeContent(content);
    if (isError) {
      const texts = blocks.filter((block) => block.type === "text");
      pictures.push(...blocks.filter((block) => block.type !== "text"));
      result.content = texts.length > 0 ? texts : [{ type: "text", text: SEE_PICTURE }];
      result.is_error = true;
    } else result.content = blocks;
    add(out, "user", [result]);
  }
  add(out, "user", pictures);
  return at;
}

function encodeAssistant(message: AssistantMessage, model: Model, quirks: AnthropicQuirks): Json[] {
  const blocks: Json[] = [];
  for (const block of message.content) {
    if (block.type === "toolCall") {
      const { id, name, arguments: input } = block;
      blocks.push({ type: "tool_use", id, name: safeName(name), input });
    } else if (block.type === "text") {
      if (block.text.trim() !== "") blocks.push({ type: "text", text: block.text });
    } else if (block.opaque) {
      const { data } = block.opaque;
      if (block.redacted) blocks.push({ type: "redacted_thinking", data });
      else blocks.push({ type: "thinking", thinking: block.text, signature: data });
    } else if (quirks.replayUnsignedThinking && !block.redacted && isOwn(message, model)) {
      blocks.push({ type: "thinking", thinking: block.text, signature: "" });
    }
  }
  return endedProperly(blocks);
}

/**
 * A reply that was cut off may end in thinking, which the vendor refuses. Blanks at the
 * end are refused only of the last message, but dropping them of each keeps the bytes of
 * a message the same when others follow it.
 */
function endedProperly(blocks: Json[]): Json[] {
  while (blocks.length > 0) {
    const last = blocks.at(-1)!;
    if (last.type !== "thinking" && last.type !== "redacted_thinking") break;
    blocks.pop();
  }
  const last = blocks.at(-1);
  if (last?.type === "text") last.text = (last.text as string).trimEnd();
  return blocks;
}

function isOwn(message: AssistantMessage, model: Model): boolean {
  return message.wire === model.wire && message.model === model.id;
}

function encodeContent(content: readonly (TextBlock | ImageBlock)[]): Json[] {
  return content.map((block) => {
    if (block.type === "text") return { type: "text", text: block.text };
    const { mimeType, data } = block;
    if (!IMAGE_TYPES.has(mimeType)) {
      return { type: "text", text: `[image left out: the model does not read ${mimeType}]` };
    }
    return { type: "image", source: { type: "base64", media_type: mimeType, data } };
  });
}

/** Models make names up; one bad name in the history would spoil the session for good. */
function safeName(name: string): string {
  if (/^[a-zA-Z0-9_-]{1,128}$/.test(name)) return name;
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 128) || "unnamed";
}

/** A body with calls in its history has to declare tools, also where none is offered. */
export function toolsOfHistory(messages: readonly WireMessage[]): Json[] {
  const names = new Set<string>();
  for (const { content } of messages) {
    for (const block of content) if (block.type === "tool_use") names.add(block.name as string);
  }
  return [...names].map((name) => ({ name, input_schema: { type: "object" } }));
}
