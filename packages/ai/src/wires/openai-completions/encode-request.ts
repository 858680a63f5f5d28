// Neutral request → Chat Completions body.

import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ToolResultMessage,
} from "../../message.ts";
import { textOf } from "../../message.ts";
import { repairConversation } from "../../repair.ts";
import type { ModelRequest, ToolChoice } from "../../request.ts";
import type { EncodedRequest } from "../../wire.ts";
import type { Json } from "../json.ts";
import { quirksOf, type CompletionsQuirks } from "./quirks.ts";

export function encodeRequest(request: ModelRequest): EncodedRequest {
  const { model } = request;
  const quirks = quirksOf(model);
  const body: Json = {
    model: model.id,
    messages: encodeMessages(request, quirks),
    stream: request.stream,
  };
  if (request.stream && quirks.streamUsage) body.stream_options = { include_usage: true };
  if (request.tools.length > 0) {
    body.tools = request.tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    }));
    if (request.toolChoice !== undefined) body.tool_choice = encodeToolChoice(request.toolChoice);
  }
  if (request.maxOutput !== undefined) body[quirks.maxTokensField] = request.maxOutput;
  if (request.temperature !== undefined) body.temperature = request.temperature;
  if (request.topP !== undefined) body.top_p = request.topP;
  if (
    request.thinking !== undefined &&
    request.thinking !== "off" &&
    quirks.reasoningEffort &&
    model.thinking
  ) {
    body.reasoning_effort = request.thinking;
  }
  if (request.cacheKey !== undefined && quirks.promptCacheKey)
    body.prompt_cache_key = request.cacheKey;
  return { path: "/chat/completions", headers: {}, body };
}

function encodeToolChoice(choice: ToolChoice): unknown {
  return typeof choice === "string"
    ? choice
    : { type: "function", function: { name: choice.name } };
}

function encodeMessages(request: ModelRequest, quirks: CompletionsQuirks): Json[] {
  const role = quirks.developerRole ? "developer" : "system";
  const system = request.system.filter((text) => text.trim() !== "");
  const out: Json[] = quirks.manySystemMessages
    ? system.map((content) => ({ role, content }))
    : system.length > 0
      ? [{ role, content: system.join("\n\n") }]
      : [];
  const history = repairConversation(request.messages, { model: request.model });
  for (let at = 0; at < history.length; at++) {
    const message = history[at]!;
    if (message.role === "assistant") out.push(encodeAssistant(message));
    else if (message.role === "toolResult") at = encodeResults(history, at, out);
    else if (message.role === "user")
      out.push({ role: "user", content: encodeContent(message.content) });
    else out.push({ role: quirks.manySystemMessages ? role : "user", content: textOf(message) });
  }
  return out;
}

function encodeAssistant(message: AssistantMessage): Json {
  const out: Json = { role: "assistant", content: textOf(message) || null };
  const calls = message.content.filter((block) => block.type === "toolCall");
  if (calls.length > 0) {
    out.tool_calls = calls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }));
  }
  return out;
}

/** A tool message holds text only: images follow in a user message behind the last result. */
function encodeResults(history: readonly Message[], first: number, out: Json[]): number {
  const images: ImageBlock[] = [];
  let at = first;
  for (; history[at]?.role === "toolResult"; at++) {
    const result = history[at] as ToolResultMessage;
    const pictures = result.content.filter((block) => block.type === "image");
    images.push(...pictures);
    const text = textOf(result);
    const content = text || (pictures.length > 0 ? "(see the attached image)" : "(no output)");
    out.push({ role: "tool", tool_call_id: result.toolCallId, content });
  }
  if (images.length > 0) out.push({ role: "user", content: encodeContent(images) });
  return at - 1;
}

function encodeContent(content: readonly (TextBlock | ImageBlock)[]): unknown {
  if (content.length === 1 && content[0]!.type === "text") return content[0]!.text;
  return content.map((block) =>
    block.type === "text"
      ? { type: "text", text: block.text }
      : { type: "image_url", image_url: { url: `data:${block.mimeType};base64,${block.data}` } },
  );
}
