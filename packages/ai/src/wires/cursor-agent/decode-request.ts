// The body of a run → the neutral request it stands for.

import type { Message, TextBlock, ImageBlock, AssistantBlock } from "../../message.ts";
import { emptyUsage } from "../../usage.ts";
import { WireRequestError, type DecodedRequest } from "../../wire.ts";
import { asArray, asObject } from "../json.ts";
import type { AgentBody, PromptMessage, PromptPart } from "./agent-body.ts";

export function decodeRequest(_url: URL, _headers: Headers, given: unknown): DecodedRequest {
  const body = given as AgentBody;
  if (!asObject(body?.model) || asArray(body.messages).length === 0) {
    throw new WireRequestError("a run needs a model and something to do");
  }
  const { id, parameters } = body.model;
  const effort = parameters.find((parameter) => parameter.id === "reasoning")?.value;
  return {
    modelId: effort === undefined ? id : `${id}-${effort}`,
    system: body.system,
    messages: body.messages.map((message) => messageOf(message, id)),
    tools: body.tools,
    cacheKey: body.conversationId,
    stream: true,
  };
}

function messageOf(message: PromptMessage, model: string): Message {
  const timestamp = 0;
  if (message.role === "user")
    return { role: "user", content: message.content.map(blockOf), timestamp };
  if (message.role === "tool") {
    const [{ toolCallId, toolName, result, isError }] = message.content;
    const content: TextBlock[] = result === "" ? [] : [{ type: "text", text: result }];
    return {
      role: "toolResult",
      toolCallId,
      toolName,
      content,
      isError: isError ?? false,
      timestamp,
    };
  }
  const content = message.content.map((part): AssistantBlock =>
    part.type === "text"
      ? { type: "text", text: part.text }
      : { type: "toolCall", id: part.toolCallId, name: part.toolName, arguments: part.args },
  );
  const stopReason = content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop";
  const origin = { provider: "cursor", model, wire: "cursor-agent" as const };
  return { role: "assistant", content, ...origin, stopReason, usage: emptyUsage(), timestamp };
}

function blockOf(part: PromptPart): TextBlock | ImageBlock {
  if (part.type === "text") return { type: "text", text: part.text };
  const data = part.image.slice(part.image.indexOf(",") + 1);
  return { type: "image", mimeType: part.mediaType, data };
}
