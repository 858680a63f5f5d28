// Ollama body → neutral request.

import type {
  AssistantBlock,
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
} from "../../message.ts";
import type { ThinkingLevel } from "../../model.ts";
import type { ToolSpec } from "../../request.ts";
import { emptyUsage } from "../../usage.ts";
import { WireRequestError, type DecodedRequest } from "../../wire.ts";
import { asArray, asNumber, asObject, asString, type Json } from "../json.ts";
import { levelOfEffort } from "../thinking-effort.ts";
import { imageTypeOf } from "./image-type.ts";

/** What a bare `think: true` means; Ollama's own default level. */
const DEFAULT_LEVEL: ThinkingLevel = "medium";

export function decodeRequest(_url: URL, _headers: Headers, raw: unknown): DecodedRequest {
  const body = asObject(raw);
  const modelId = asString(body?.model);
  if (!body || !modelId) throw new WireRequestError("model is required");
  const { system, messages } = decodeMessages(asArray(body.messages), modelId);
  const request: DecodedRequest = {
    modelId,
    system,
    messages,
    tools: asArray(body.tools).map(decodeTool),
    // The API streams unless told not to.
    stream: body.stream !== false,
  };
  const options = asObject(body.options) ?? {};
  const maxOutput = asNumber(options.num_predict);
  // Below zero means "no limit" to this vendor.
  if (maxOutput !== undefined && maxOutput >= 0) request.maxOutput = maxOutput;
  const temperature = asNumber(options.temperature);
  if (temperature !== undefined) request.temperature = temperature;
  const topP = asNumber(options.top_p);
  if (topP !== undefined) request.topP = topP;
  const thinking = decodeThink(body.think);
  if (thinking !== undefined) request.thinking = thinking;
  return request;
}

function decodeThink(think: unknown): ThinkingLevel | undefined {
  if (think === false) return "off";
  return think === true ? DEFAULT_LEVEL : levelOfEffort(think);
}

interface Waiting {
  id: string;
  name: string;
}

function decodeMessages(
  raw: readonly unknown[],
  modelId: string,
): { system: string[]; messages: Message[] } {
  const system: string[] = [];
  const messages: Message[] = [];
  let waiting: Waiting[] = [];
  let calls = 0;
  for (const item of raw) {
    const message = asObject(item);
    const text = asString(message?.content) ?? "";
    switch (message?.role) {
      case "system":
        if (messages.length === 0) system.push(text);
        else messages.push({ role: "developer", content: [{ type: "text", text }], timestamp: 0 });
        break;
      case "user":
        messages.push({ role: "user", content: decodeContent(message, text), timestamp: 0 });
        break;
      case "assistant": {
        const reply = decodeReply(message, modelId, calls);
        waiting = reply.content.filter((block) => block.type === "toolCall");
        calls += waiting.length;
        messages.push(reply);
        break;
      }
      case "tool":
        messages.push(decodeResult(message, text, waiting));
        break;
      default:
        throw new WireRequestError(`unknown message role "${String(message?.role)}"`);
    }
  }
  return { system, messages };
}

function decodeContent(message: Json, text: string): (TextBlock | ImageBlock)[] {
  const images = asArray(message.images).map((image): ImageBlock => {
    const data = asString(image);
    if (!data) throw new WireRequestError("an image must be base64");
    return { type: "image", mimeType: imageTypeOf(data), data };
  });
  return text === "" && images.length > 0 ? images : [{ type: "text", text }, ...images];
}

/** Calls without an id are numbered, so that the same history has the same ids again. */
function decodeReply(message: Json, modelId: string, callsBefore: number): AssistantMessage {
  const content: AssistantBlock[] = [];
  const thinking = asString(message.thinking);
  if (thinking) content.push({ type: "thinking", text: thinking });
  const text = asString(message.content);
  if (text) content.push({ type: "text", text });
  const calls = asArray(message.tool_calls);
  calls.forEach((item, at) => {
    const call = asObject(item);
    const fn = asObject(call?.function);
    const name = asString(fn?.name);
    if (!name) throw new WireRequestError("each tool call needs a function with a name");
    const id = asString(call?.id) || `call_${callsBefore + at + 1}`;
    content.push({ type: "toolCall", id, name, arguments: asObject(fn?.arguments) ?? {} });
  });
  return {
    role: "assistant",
    content,
    provider: "",
    model: modelId,
    wire: "ollama-chat",
    stopReason: calls.length > 0 ? "toolUse" : "stop",
    usage: emptyUsage(),
    timestamp: 0,
  };
}

/** By id where there is one, else the first call of that name, else the next in line. */
function decodeResult(message: Json, text: string, waiting: Waiting[]): Message {
  const id = asString(message.tool_call_id);
  const name = asString(message.tool_name) ?? asString(message.name);
  let at = waiting.findIndex((call) => (id ? call.id === id : call.name === name));
  if (at < 0 && !id && name === undefined) at = 0;
  const call = at < 0 ? undefined : waiting.splice(at, 1)[0];
  return {
    role: "toolResult",
    toolCallId: call?.id ?? id ?? "",
    toolName: name ?? call?.name ?? "",
    content: [{ type: "text", text }],
    isError: false,
    timestamp: 0,
  };
}

function decodeTool(item: unknown): ToolSpec {
  const fn = asObject(asObject(item)?.function);
  const name = asString(fn?.name);
  if (!name) throw new WireRequestError("each tool needs a function with a name");
  const parameters = asObject(fn?.parameters) ?? { type: "object", properties: {} };
  return { name, description: asString(fn?.description) ?? "", parameters };
}
