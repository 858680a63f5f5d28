// Neutral history → Chat Completions messages.

import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ToolResultMessage,
} from "../../message.ts";
import { textOf } from "../../message.ts";
import type { Model } from "../../model.ts";
import { repairConversation } from "../../repair.ts";
import type { ModelRequest } from "../../request.ts";
import { toDataUrl } from "../data-url.ts";
import type { Json } from "../json.ts";
import { uniqueIds } from "../stable-id.ts";
import type { CompletionsQuirks } from "./quirks.ts";
import { fitCallId, mistralCallId } from "./tool-call-id.ts";

/** Stands where a host insists on text and there is none. */
const NO_TEXT = ".";
const NO_REASONING = "(The reasoning of this turn was not kept.)";
/** Said for the assistant where a host wants it to speak after a tool result. */
const ACKNOWLEDGED = "I have read the results.";

export function encodeMessages(request: ModelRequest, quirks: CompletionsQuirks): Json[] {
  const { model } = request;
  const role = quirks.supportsDeveloperRole && model.thinking ? "developer" : "system";
  const system = request.system.filter((text) => text.trim() !== "");
  const out: Json[] = quirks.supportsMultipleSystemMessages
    ? system.map((content) => ({ role, content }))
    : system.length > 0
      ? [{ role, content: system.join("\n\n") }]
      : [];
  const history = repairConversation(request.messages, {
    model,
    toolCallId: uniqueIds(quirks.requiresMistralToolIds ? mistralCallId : fitCallId),
  });
  for (let at = 0; at < history.length; at++) {
    const message = history[at]!;
    if (message.role === "assistant") pushAssistant(message, model, quirks, out);
    else if (message.role === "toolResult") at = pushResults(history, at, quirks, out);
    else if (message.role === "user") pushUser(encodeContent(message.content), quirks, out);
    // Templates that know one system message only take a later instruction as input.
    else if (!quirks.supportsMultipleSystemMessages) pushUser(textOf(message), quirks, out);
    else out.push({ role, content: textOf(message) });
  }
  return out;
}

function pushUser(content: unknown, quirks: CompletionsQuirks, out: Json[]): void {
  if (quirks.requiresAssistantAfterToolResult && out.at(-1)?.role === "tool") {
    out.push({ role: "assistant", content: ACKNOWLEDGED });
  }
  out.push({ role: "user", content });
}

function pushAssistant(
  message: AssistantMessage,
  model: Model,
  quirks: CompletionsQuirks,
  out: Json[],
): void {
  const calls = message.content.filter((block) => block.type === "toolCall");
  const text = quirks.requiresThinkingAsText ? textWithThinking(message) : textOf(message);
  const isBlank = text.trim() === "";
  // A reply that got no further than thinking has nothing this wire can say.
  if (calls.length === 0 && isBlank) return;
  const encoded: Json = { role: "assistant", content: isBlank ? null : text };
  if (calls.length > 0) {
    if (isBlank && quirks.requiresAssistantContentForToolCalls) encoded.content = NO_TEXT;
    const reasoning = reasoningOf(message, model, quirks);
    if (reasoning !== undefined) encoded[quirks.reasoningContentField] = reasoning;
    encoded.tool_calls = calls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }));
  }
  out.push(encoded);
}

function thinkingOf(message: AssistantMessage): string {
  return message.content
    .filter((block) => block.type === "thinking")
    .map((block) => block.text)
    .join("");
}

function textWithThinking(message: AssistantMessage): string {
  return message.content
    .map((block) => {
      if (block.type === "text") return block.text;
      if (block.type !== "thinking" || block.text.trim() === "") return "";
      return `<thinking>\n${block.text}\n</thinking>\n`;
    })
    .join("");
}

/** Hosts that check the value get the model's own words or nothing. */
function reasoningOf(
  message: AssistantMessage,
  model: Model,
  quirks: CompletionsQuirks,
): string | undefined {
  if (!quirks.requiresReasoningContentForToolCalls) return undefined;
  const thinking = thinkingOf(message);
  const isOwn = message.wire === model.wire && message.model === model.id;
  if (thinking !== "" && isOwn) return thinking;
  return quirks.allowsSyntheticReasoningContentForToolCalls ? thinking || NO_REASONING : undefined;
}

/** A tool message holds text only: images follow in a user message behind the last result. */
function pushResults(
  history: readonly Message[],
  first: number,
  quirks: CompletionsQuirks,
  out: Json[],
): number {
  const images: ImageBlock[] = [];
  let at = first;
  for (; history[at]?.role === "toolResult"; at++) {
    const result = history[at] as ToolResultMessage;
    const pictures = result.content.filter((block) => block.type === "image");
    images.push(...pictures);
    const text = textOf(result);
    out.push({
      role: "tool",
      tool_call_id: result.toolCallId,
      name: quirks.requiresToolResultName ? result.toolName : undefined,
      content: text || (pictures.length > 0 ? "(see the attached image)" : "(no output)"),
    });
  }
  if (images.length > 0) pushUser(encodeContent(images), quirks, out);
  return at - 1;
}

function encodeContent(content: readonly (TextBlock | ImageBlock)[]): unknown {
  if (content.length === 1 && content[0]!.type === "text") return content[0]!.text;
  return content.map((block) =>
    block.type === "text"
      ? { type: "text", text: block.text }
      : { type: "image_url", image_url: { url: toDataUrl(block) } },
  );
}
