// Neutral request → the body of a run, in JSON; `converse.ts` makes messages and blobs of it.

import type { AssistantMessage, ToolResultMessage } from "../../message.ts";
import { wireNameOf, type Model } from "../../model.ts";
import { repairConversation } from "../../repair.ts";
import type { ModelRequest } from "../../request.ts";
import { ANTHROPIC } from "../../schema/anthropic.ts";
import { fitSchema } from "../../schema/tool-schema.ts";
import type { EncodedRequest } from "../../wire.ts";
import { createToolIds } from "../anthropic-messages/tool-ids.ts";
import {
  RUN_PATH,
  type AgentBody,
  type AgentModel,
  type PromptCall,
  type PromptMessage,
  type PromptPart,
  type PromptText,
} from "./agent-body.ts";
import { quirksOf } from "./quirks.ts";

/**
 * The service lists OpenAI's models once per effort (`gpt-5.5-high`, `gpt-5.5-high-fast`) but is
 * asked for the model and the effort apart; with the listed name it answers "resource exhausted".
 */
const LISTED_EFFORT = /^((?:gpt-|o\d).*?)-(none|minimal|low|medium|high|xhigh)(-fast)?$/;

export function encodeRequest(request: ModelRequest): EncodedRequest {
  const { model, cacheKey } = request;
  const body: AgentBody = {
    model: agentModel(model),
    conversationId: cacheKey,
    system: request.system.filter((text) => text !== ""),
    tools: request.tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: fitSchema(parameters, ANTHROPIC).schema,
    })),
    messages: promptMessages(request),
  };
  const headers = {
    "content-type": "application/connect+proto",
    "connect-protocol-version": "1",
    ...clientHeaders(model),
  };
  return { path: RUN_PATH, headers, body: { ...body } };
}

/** `x-ghost-mode` asks that nothing of the conversation is kept or learnt from. */
export function clientHeaders(model: Pick<Model, "quirks">): Record<string, string> {
  return {
    te: "trailers",
    "x-cursor-client-type": "cli",
    "x-cursor-client-version": quirksOf(model).clientVersion,
    "x-ghost-mode": "true",
  };
}

function agentModel(model: Model): AgentModel {
  const { maxMode } = quirksOf(model);
  const listed = wireNameOf(model);
  const [, name, effort, lane = ""] = LISTED_EFFORT.exec(listed) ?? [];
  if (name === undefined || effort === undefined) {
    return { id: listed, name: model.name, maxMode, parameters: [] };
  }
  const parameters = effort === "none" ? [] : [{ id: "reasoning", value: effort }];
  return { id: name + lane, name: model.name, maxMode, parameters };
}

/** Its alphabet for ids is the same as Anthropic's. */
function promptMessages({ messages, model }: ModelRequest): PromptMessage[] {
  const history = repairConversation(messages, { model, toolCallId: createToolIds() });
  const prompt = history.flatMap((message): PromptMessage[] => {
    if (message.role === "toolResult") return resultOf(message);
    if (message.role === "assistant") return [{ role: "assistant", content: replyOf(message) }];
    return [{ role: "user", content: parts(message.content) }];
  });
  return prompt.filter(({ content }) => content.length > 0);
}

/** What was thought stays out: the service gives nothing with it by which it would know it again. */
function replyOf({ content }: AssistantMessage): (PromptText | PromptCall)[] {
  return content.flatMap((block): (PromptText | PromptCall)[] => {
    if (block.type === "text") return block.text === "" ? [] : [{ type: "text", text: block.text }];
    if (block.type === "thinking") return [];
    const { id: toolCallId, name: toolName, arguments: args } = block;
    return [{ type: "tool-call", toolCallId, toolName, args }];
  });
}

/** A result is text here; its images follow as the user's. */
function resultOf(message: ToolResultMessage): PromptMessage[] {
  const { toolCallId, toolName, isError, content } = message;
  const result = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const told: PromptMessage = {
    role: "tool",
    id: toolCallId,
    content: [{ type: "tool-result", toolName, toolCallId, result, isError: isError || undefined }],
  };
  const images = parts(content).filter(({ type }) => type === "image");
  if (images.length === 0) return [told];
  const intro = { type: "text" as const, text: `Images in the result of ${toolName}:` };
  return [told, { role: "user", content: [intro, ...images] }];
}

function parts(content: ToolResultMessage["content"]): PromptPart[] {
  return content.flatMap((block): PromptPart[] => {
    if (block.type === "text") return block.text === "" ? [] : [{ type: "text", text: block.text }];
    const image = `data:${block.mimeType};base64,${block.data}`;
    return [{ type: "image", image, mediaType: block.mimeType }];
  });
}
