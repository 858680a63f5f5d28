// Chat Completions body → neutral request.

import type { AssistantBlock, ImageBlock, Message, TextBlock } from "../../message.ts";
import { asServiceTier, type ToolChoice, type ToolSpec } from "../../request.ts";
import { emptyUsage } from "../../usage.ts";
import { WireRequestError, type DecodedRequest } from "../../wire.ts";
import { fromDataUrl } from "../data-url.ts";
import { asArray, asNumber, asObject, asString, parseObject, type Json } from "../json.ts";
import { levelOfEffort } from "../thinking-effort.ts";

export function decodeRequest(_url: URL, _headers: Headers, raw: unknown): DecodedRequest {
  const body = asObject(raw);
  const modelId = asString(body?.model);
  if (!body || !modelId) throw new WireRequestError("a request needs a JSON object with `model`");
  if (!Array.isArray(body.messages)) throw new WireRequestError("`messages` must be an array");
  const { system, messages } = decodeMessages(body.messages, modelId);
  const request: DecodedRequest = {
    modelId,
    system,
    messages,
    tools: asArray(body.tools).map(decodeTool),
    stream: body.stream === true,
  };
  const toolChoice = decodeToolChoice(body.tool_choice);
  if (toolChoice !== undefined) request.toolChoice = toolChoice;
  const maxOutput = asNumber(body.max_completion_tokens) ?? asNumber(body.max_tokens);
  if (maxOutput !== undefined) request.maxOutput = maxOutput;
  const temperature = asNumber(body.temperature);
  if (temperature !== undefined) request.temperature = temperature;
  const topP = asNumber(body.top_p);
  if (topP !== undefined) request.topP = topP;
  const thinking = levelOfEffort(body.reasoning_effort ?? asObject(body.reasoning)?.effort);
  if (thinking !== undefined) request.thinking = thinking;
  const cacheKey = asString(body.prompt_cache_key);
  if (cacheKey) request.cacheKey = cacheKey;
  if (body.prompt_cache_retention === "24h") request.cacheRetention = "long";
  const serviceTier = asServiceTier(body.service_tier);
  if (serviceTier !== undefined) request.serviceTier = serviceTier;
  return request;
}

function decodeMessages(
  raw: unknown[],
  modelId: string,
): { system: string[]; messages: Message[] } {
  const system: string[] = [];
  const messages: Message[] = [];
  const toolNames = new Map<string, string>();
  for (const item of raw) {
    const message = asObject(item);
    const role = asString(message?.role);
    if (!message || !role) throw new WireRequestError("each message needs a `role`");
    if (role === "system" || role === "developer") {
      const text = plainText(message.content);
      if (messages.length === 0) system.push(text);
      else messages.push({ role: "developer", content: [{ type: "text", text }], timestamp: 0 });
    } else if (role === "user") {
      messages.push({ role: "user", content: decodeContent(message.content), timestamp: 0 });
    } else if (role === "assistant") {
      const content = decodeAssistant(message);
      for (const block of content)
        if (block.type === "toolCall") toolNames.set(block.id, block.name);
      const calls = content.some((block) => block.type === "toolCall");
      messages.push({
        role: "assistant",
        content,
        provider: "",
        model: modelId,
        wire: "openai-completions",
        stopReason: calls ? "toolUse" : "stop",
        usage: emptyUsage(),
        timestamp: 0,
      });
    } else if (role === "tool") {
      const toolCallId = asString(message.tool_call_id) ?? "";
      messages.push({
        role: "toolResult",
        toolCallId,
        toolName: toolNames.get(toolCallId) ?? asString(message.name) ?? "",
        content: [{ type: "text", text: plainText(message.content) }],
        isError: false,
        timestamp: 0,
      });
    } else throw new WireRequestError(`unknown message role "${role}"`);
  }
  return { system, messages };
}

function decodeAssistant(message: Json): AssistantBlock[] {
  const blocks: AssistantBlock[] = [];
  const thinking = REASONING_FIELDS.map((field) => asString(message[field])).find(Boolean);
  if (thinking) blocks.push({ type: "thinking", text: thinking });
  const text = plainText(message.content);
  if (text) blocks.push({ type: "text", text });
  for (const item of asArray(message.tool_calls)) {
    const call = asObject(item) ?? {};
    const fn = asObject(call.function) ?? {};
    const raw = asString(fn.arguments) ?? "";
    const args = raw.trim() === "" ? {} : parseObject(raw);
    blocks.push({
      type: "toolCall",
      id: asString(call.id) ?? "",
      name: asString(fn.name) ?? "",
      arguments: args ?? {},
      malformed: args ? undefined : raw,
    });
  }
  return blocks;
}

const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_text"] as const;

function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  return asArray(content)
    .map((part) => asString(asObject(part)?.text) ?? "")
    .join("");
}

function decodeContent(content: unknown): (TextBlock | ImageBlock)[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  const blocks: (TextBlock | ImageBlock)[] = [];
  for (const part of asArray(content)) {
    const object = asObject(part) ?? {};
    if (object.type === "text") blocks.push({ type: "text", text: asString(object.text) ?? "" });
    else if (object.type === "image_url") {
      blocks.push(fromDataUrl(asString(asObject(object.image_url)?.url) ?? ""));
    }
  }
  return blocks;
}

function decodeTool(item: unknown): ToolSpec {
  const fn = asObject(asObject(item)?.function);
  const name = asString(fn?.name);
  if (!fn || !name) throw new WireRequestError("each tool needs `function.name`");
  return {
    name,
    description: asString(fn.description) ?? "",
    parameters: asObject(fn.parameters) ?? { type: "object", properties: {} },
  };
}

function decodeToolChoice(choice: unknown): ToolChoice | undefined {
  if (choice === "auto" || choice === "none" || choice === "required") return choice;
  const name = asString(asObject(asObject(choice)?.function)?.name);
  return name === undefined ? undefined : { name };
}
