// Neutral history → Ollama messages. A message is one text with pictures beside it; the
// results of a step follow it in the order of its calls.

import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ToolResultMessage,
} from "../../message.ts";
import { textOf, toolCallsOf } from "../../message.ts";
import type { Model } from "../../model.ts";
import { repairConversation } from "../../repair.ts";
import type { ModelRequest } from "../../request.ts";
import type { Json } from "../json.ts";
import { uniqueIds } from "../stable-id.ts";
import { fitCallId } from "../openai-completions/tool-call-id.ts";

const SEE_PICTURE = "(see the attached image)";

export function encodeMessages(request: ModelRequest): Json[] {
  const { model } = request;
  const out: Json[] = [];
  const system = request.system.filter((text) => text.trim() !== "").join("\n\n");
  if (system !== "") out.push({ role: "system", content: system });
  const history = repairConversation(request.messages, {
    model,
    toolCallId: uniqueIds(fitCallId),
  });
  for (let at = 0; at < history.length; at++) {
    const message = history[at]!;
    if (message.role === "assistant") pushReply(message, model, out);
    else if (message.role === "toolResult") at = pushResults(history, at, out) - 1;
    else if (message.role === "user") out.push(encodeUser(message.content));
    else out.push({ role: "system", content: textOf(message) });
  }
  return out;
}

function encodeUser(content: readonly (TextBlock | ImageBlock)[]): Json {
  const images = content.filter((block) => block.type === "image").map(({ data }) => data);
  const text = content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("\n\n");
  return {
    role: "user",
    content: text || SEE_PICTURE,
    images: images.length > 0 ? images : undefined,
  };
}

/** Thoughts of the model itself go back to it: some go on from there after a tool call. */
function pushReply(message: AssistantMessage, model: Model, out: Json[]): void {
  const calls = message.content.filter((block) => block.type === "toolCall");
  const text = textOf(message);
  if (text.trim() === "" && calls.length === 0) return;
  const encoded: Json = { role: "assistant", content: text };
  const isOwn = message.wire === model.wire && message.model === model.id;
  const thinking = message.content
    .filter((block) => block.type === "thinking")
    .map((block) => block.text)
    .join("");
  if (isOwn && thinking.trim() !== "") encoded.thinking = thinking;
  if (calls.length > 0) {
    encoded.tool_calls = calls.map((call) => ({
      id: call.id,
      function: { name: call.name, arguments: call.arguments },
    }));
  }
  out.push(encoded);
}

/** A result is text: its pictures follow in a user's message behind the last one. */
function pushResults(history: readonly Message[], first: number, out: Json[]): number {
  const images: ImageBlock[] = [];
  const calls = toolCallsOf(history[first - 1] as AssistantMessage);
  let at = first;
  for (; history[at]?.role === "toolResult"; at++) {
    const result = history[at] as ToolResultMessage;
    const pictures = result.content.filter((block) => block.type === "image");
    images.push(...pictures);
    const content = textOf(result) || (pictures.length > 0 ? SEE_PICTURE : "(no output)");
    // Older servers know results by the tool's name and their order alone.
    const { id, name } = calls[at - first]!;
    out.push({ role: "tool", content, tool_name: name, tool_call_id: id });
  }
  if (images.length > 0) out.push(encodeUser(images));
  return at;
}
