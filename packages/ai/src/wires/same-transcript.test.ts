// The promise of the whole package: one conversation, whatever the vendor. A scripted turn
// with two tools is played over every wire, over real sockets, and what the log would keep
// is the same each time. Only ids, times and who spoke differ.

import { describe, expect, test } from "bun:test";
import { ConnectFront } from "@tau/testkit/connect-front";
import { callModel } from "../call.ts";
import type { AssistantMessage, Message, ToolResultMessage } from "../message.ts";
import { toolCallsOf } from "../message.ts";
import type { Model } from "../model.ts";
import type { ModelRequest } from "../request.ts";
import {
  HTTP_WIRES,
  loadWireServer,
  type DecodedRequest,
  type HttpWireId,
  type WireServer,
} from "../wire.ts";
import { said, testModel } from "./openai-testing.ts";
import { answering, serveWire, type Script, type WireTestServer } from "./wire-test-support.ts";

const TOOLS = ["read", "list"].map((name) => ({
  name,
  description: `Use ${name}.`,
  parameters: { type: "object", properties: { path: { type: "string" } } },
}));
const ASKED: Message = {
  role: "user",
  content: [{ type: "text", text: "Compare a.ts with what is in src. 日本 👋" }],
  timestamp: 0,
};

/** What the model says in each of the two turns. */
function script(model: Model): AssistantMessage[] {
  return [
    said(model, [
      { type: "thinking", text: "Two things to look at — ähm." },
      { type: "text", text: "I'll look at both." },
      { type: "toolCall", id: "call_1", name: "read", arguments: { path: 'a "b".ts' } },
      {
        type: "toolCall",
        id: "call_2",
        name: "list",
        arguments: { path: "src", deep: { n: [1, 2.5, null, true] } },
      },
    ]),
    said(model, [{ type: "text", text: "They agree. ✓" }]),
  ];
}

/** The tools: deterministic, one of them fails. */
function runTools(reply: AssistantMessage): ToolResultMessage[] {
  return toolCallsOf(reply).map((call) => ({
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: `${call.name}: ${JSON.stringify(call.arguments)}` }],
    isError: call.name === "list",
    timestamp: 0,
  }));
}

const BASE_PATHS: Partial<Record<HttpWireId, string>> = {
  "google-vertex": "/v1/projects/p/locations/global",
  "google-gemini-cli": "/v1internal",
};

/** Over whatever the wire runs on. */
async function serve(wire: WireServer, said: Script): Promise<WireTestServer> {
  if (!wire.gather) return serveWire(wire, said);
  const { handle, bodies, requests } = answering(wire, said);
  const front = await ConnectFront.start(wire, handle);
  const dispose = (): Promise<void> => front[Symbol.asyncDispose]();
  return { url: front.origin, bodies, requests, [Symbol.asyncDispose]: dispose };
}

async function play(wire: HttpWireId, stream: boolean) {
  const server: WireServer = await loadWireServer(wire);
  const model = testModel(wire, { id: "model-1", thinking: ["low", "high"] });
  const turns = script(model);
  let turn = -1;
  await using http = await serve(server, () => turns[++turn]!);
  const baseUrl = http.url + (BASE_PATHS[wire] ?? "");
  const messages: Message[] = [ASKED];
  for (;;) {
    const request: ModelRequest = {
      model: { ...model, baseUrl },
      system: ["You compare files."],
      messages,
      tools: TOOLS,
      stream,
    };
    const reply = await callModel(request, { credential: "key" }).result();
    messages.push(reply);
    if (reply.stopReason !== "toolUse") break;
    messages.push(...runTools(reply));
  }
  return { messages, requests: http.requests };
}

/** Calls are numbered in their order; results refer to the numbers. */
function transcript(messages: readonly Message[]): unknown[] {
  const numbers = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === "toolResult") {
      return { ...message, toolCallId: numbers.get(message.toolCallId) };
    }
    if (message.role !== "assistant") return message;
    const content = message.content.map(({ opaque: _vendors, ...block }) => {
      if (block.type !== "toolCall") return block;
      numbers.set(block.id, `call ${numbers.size + 1}`);
      return { ...block, id: numbers.get(block.id) };
    });
    const { role, stopReason, error } = message;
    return { role, content, stopReason, error };
  });
}

const EXPECTED = transcript([
  ASKED,
  script(testModel("in-process"))[0]!,
  ...runTools(script(testModel("in-process"))[0]!),
  script(testModel("in-process"))[1]!,
]);

/** What the far side understood of the second request: the same conversation. */
function understood(request: DecodedRequest): unknown {
  return {
    system: request.system,
    tools: request.tools,
    said: request.messages.map((message) => ({
      role: message.role,
      text: message.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
      calls:
        message.role === "assistant"
          ? toolCallsOf(message).map(({ name, arguments: args }) => ({ name, args }))
          : [],
    })),
  };
}

describe.each(HTTP_WIRES)("%s", (wire) => {
  for (const stream of [true, false]) {
    test(`the same transcript, ${stream ? "streamed" : "whole"}`, async () => {
      const { messages, requests } = await play(wire, stream);
      expect(transcript(messages)).toEqual(EXPECTED);
      expect(requests).toHaveLength(2);
      const [, second] = requests;
      const reference = understood({
        modelId: "",
        system: ["You compare files."],
        messages: messages.slice(0, -1),
        tools: TOOLS,
        stream,
      });
      expect(understood(second!)).toEqual(reference);
    });
  }
});

test("every wire there is has been played", () => {
  expect(HTTP_WIRES.toSorted()).toEqual([
    "anthropic-messages",
    "azure-openai-responses",
    "bedrock-converse-stream",
    "cursor-agent",
    "google-gemini-cli",
    "google-generative-ai",
    "google-vertex",
    "ollama-chat",
    "openai-codex-responses",
    "openai-completions",
    "openai-responses",
    "tau-native",
  ]);
});
