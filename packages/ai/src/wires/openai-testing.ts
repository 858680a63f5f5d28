// What the tests of both OpenAI wires share: a model and a request to start from, and the
// comparison of a conversation with what came back from a round trip.

import type { AssistantMessage, Message, ToolCallBlock, ToolResultMessage } from "../message.ts";
import { FREE, THINKING_LEVELS, type Model } from "../model.ts";
import type { ModelRequest } from "../request.ts";
import { emptyUsage } from "../usage.ts";
import type { WireId } from "../wire.ts";

export function testModel(wire: WireId, over: Partial<Model> = {}): Model {
  return {
    provider: "test",
    id: "m",
    name: "m",
    wire,
    baseUrl: "http://127.0.0.1:1/v1",
    auth: "bearer",
    contextWindow: 100_000,
    maxOutput: 4096,
    input: ["text", "image"],
    thinking: THINKING_LEVELS.filter((level) => level !== "off"),
    cost: FREE,
    ...over,
  };
}

export function testRequest(model: Model, over: Partial<ModelRequest> = {}): ModelRequest {
  const messages: Message[] = [
    { role: "user", content: [{ type: "text", text: "hi" }], timestamp: 0 },
  ];
  return { model, system: [], messages, tools: [], stream: true, ...over };
}

/** A finished message of the given blocks. */
export function said(
  model: Pick<Model, "provider" | "id" | "wire">,
  content: AssistantMessage["content"],
  over: Partial<AssistantMessage> = {},
): AssistantMessage {
  return {
    role: "assistant",
    content,
    provider: model.provider,
    model: model.id,
    wire: model.wire,
    stopReason: content.some((block) => block.type === "toolCall") ? "toolUse" : "stop",
    usage: emptyUsage(),
    timestamp: 0,
    ...over,
  };
}

export function callOf(id: string): ToolCallBlock {
  return { type: "toolCall", id, name: "read", arguments: { path: "/a" } };
}

export function resultOf(id: string, text = "ok"): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: id,
    toolName: "read",
    content: [{ type: "text", text }],
    isError: false,
    timestamp: 0,
  };
}

export const READ_TOOL = {
  name: "read",
  description: "Reads.",
  parameters: { type: "object" },
} as const;
