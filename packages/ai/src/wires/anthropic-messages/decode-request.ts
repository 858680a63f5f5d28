// Messages body → neutral request.

import type {
  AssistantBlock,
  ImageBlock,
  Message,
  Opaque,
  TextBlock,
  ToolResultMessage,
} from "../../message.ts";
import type { ThinkingLevel } from "../../model.ts";
import type { ToolChoice, ToolSpec } from "../../request.ts";
import { emptyUsage } from "../../usage.ts";
import { WireRequestError, type DecodedRequest } from "../../wire.ts";
import { opaqueOf } from "../foreign-opaque.ts";
import { asArray, asNumber, asObject, asString, type Json } from "../json.ts";
import { levelOfBudget } from "../thinking-budget.ts";
import { levelOfEffort } from "../thinking-effort.ts";

export function decodeRequest(_url: URL, _headers: Headers, raw: unknown): DecodedRequest {
  const body = asObject(raw);
  const modelId = asString(body?.model);
  if (!body || !modelId) throw new WireRequestError("model: Field required");
  const maxOutput = asNumber(body.max_tokens);
  if (maxOutput === undefined) throw new WireRequestError("max_tokens: Field required");
  if (!Array.isArray(body.messages)) throw new WireRequestError("messages: Field required");
  const request: DecodedRequest = {
    modelId,
    system: texts(body.system),
    messages: decodeMessages(body.messages, modelId),
    tools: decodeTools(body.tools),
    maxOutput,
    stream: body.stream === true,
  };
  const toolChoice = decodeToolChoice(asObject(body.tool_choice));
  if (toolChoice !== undefined) request.toolChoice = toolChoice;
  const temperature = asNumber(body.temperature);
  if (temperature !== undefined) request.temperature = temperature;
  const topP = asNumber(body.top_p);
  if (topP !== undefined) request.topP = topP;
  const thinking = decodeThinking(body);
  if (thinking !== undefined) request.thinking = thinking;
  return request;
}

/** A string, or text blocks: the two ways the vendor takes prose. */
function texts(content: unknown): string[] {
  if (typeof content === "string") return content === "" ? [] : [content];
  return asArray(content).map((block) => asString(asObject(block)?.text) ?? "");
}

function decodeMessages(raw: unknown[], modelId: string): Message[] {
  const messages: Message[] = [];
  const toolNames = new Map<string, string>();
  raw.forEach((item, at) => {
    const message = asObject(item);
    const role = asString(message?.role);
    if (role === "user") decodeUser(message!.content, toolNames, messages);
    else if (role === "system") {
      const content = texts(message!.content).map((text): TextBlock => ({ type: "text", text }));
      messages.push({ role: "developer", content, timestamp: 0 });
    } else if (role === "assistant") {
      const content = decodeAssistant(message!.content, modelId);
      for (const block of content) {
        if (block.type === "toolCall") toolNames.set(block.id, block.name);
      }
      const calls = content.some((block) => block.type === "toolCall");
      messages.push({
        role: "assistant",
        content,
        provider: "",
        model: modelId,
        wire: "anthropic-messages",
        stopReason: calls ? "toolUse" : "stop",
        usage: emptyUsage(),
        timestamp: 0,
      });
    } else throw new WireRequestError(`messages.${at}.role: Input should be 'user' or 'assistant'`);
  });
  return messages;
}

/** One message of the vendor's may be several of ours: the results, then what was said. */
function decodeUser(content: unknown, toolNames: Map<string, string>, out: Message[]): void {
  const blocks = blocksOf(content);
  for (const block of blocks) {
    if (block.type === "tool_result") out.push(decodeResult(block, toolNames));
  }
  const said = blocks.filter((block) => block.type !== "tool_result");
  if (said.length > 0) out.push({ role: "user", content: decodeContent(said), timestamp: 0 });
}

function decodeResult(block: Json, toolNames: Map<string, string>): ToolResultMessage {
  const toolCallId = asString(block.tool_use_id) ?? "";
  return {
    role: "toolResult",
    toolCallId,
    toolName: toolNames.get(toolCallId) ?? "",
    content: decodeContent(blocksOf(block.content)),
    isError: block.is_error === true,
    timestamp: 0,
  };
}

function blocksOf(content: unknown): Json[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return asArray(content).map((block) => asObject(block) ?? {});
}

function decodeContent(blocks: readonly Json[]): (TextBlock | ImageBlock)[] {
  return blocks.map((block) => {
    if (block.type === "text") return { type: "text", text: asString(block.text) ?? "" };
    const source = asObject(block.source);
    if (block.type === "image" && source?.type === "base64") {
      const mimeType = asString(source.media_type) ?? "";
      return { type: "image", mimeType, data: asString(source.data) ?? "" };
    }
    throw new WireRequestError(`content of type "${String(block.type)}" is not supported here`);
  });
}

function decodeAssistant(content: unknown, modelId: string): AssistantBlock[] {
  const own = (data: unknown): { opaque?: Opaque } => {
    const text = asString(data);
    return text ? { opaque: opaqueOf(text, { wire: "anthropic-messages", model: modelId }) } : {};
  };
  const blocks: AssistantBlock[] = [];
  for (const block of blocksOf(content)) {
    if (block.type === "text") blocks.push({ type: "text", text: asString(block.text) ?? "" });
    else if (block.type === "thinking") {
      const text = asString(block.thinking) ?? "";
      blocks.push({ type: "thinking", text, ...own(block.signature) });
    } else if (block.type === "redacted_thinking") {
      blocks.push({ type: "thinking", text: "", redacted: true, ...own(block.data) });
    } else if (block.type === "tool_use") {
      const id = asString(block.id) ?? "";
      const name = asString(block.name) ?? "";
      blocks.push({ type: "toolCall", id, name, arguments: asObject(block.input) ?? {} });
    } // The vendor's own tools ran on its side and have no neutral form.
  }
  return blocks;
}

/** Tools that the vendor runs itself carry no schema and cannot be offered elsewhere. */
function decodeTools(raw: unknown): ToolSpec[] {
  const tools: ToolSpec[] = [];
  for (const item of asArray(raw)) {
    const tool = asObject(item) ?? {};
    const parameters = asObject(tool.input_schema);
    if (!parameters) continue;
    const name = asString(tool.name);
    if (!name) throw new WireRequestError("tools: each tool needs a `name`");
    tools.push({ name, description: asString(tool.description) ?? "", parameters });
  }
  return tools;
}

function decodeToolChoice(choice: Json | undefined): ToolChoice | undefined {
  if (choice?.type === "auto" || choice?.type === "none") return choice.type;
  if (choice?.type === "any") return "required";
  const name = choice?.type === "tool" ? asString(choice.name) : undefined;
  return name === undefined ? undefined : { name };
}

/** Where the model is to decide for itself, the vendor's default effort is high. */
function decodeThinking(body: Json): ThinkingLevel | undefined {
  const thinking = asObject(body.thinking);
  if (thinking?.type === "disabled") return "off";
  if (thinking?.type === "enabled") return levelOfBudget(asNumber(thinking.budget_tokens) ?? 0);
  if (thinking?.type !== "adaptive") return undefined;
  return levelOfEffort(asObject(body.output_config)?.effort) ?? "high";
}
