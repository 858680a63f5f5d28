// The vendor's own SDK against our server half, and our client half against the same
// server: both must see the reply that the script told.

import { describe, expect, test } from "bun:test";
import {
  ApiError,
  FunctionCallingConfigMode,
  GoogleGenAI,
  type GenerateContentResponse,
  type Part,
} from "@google/genai";
import { callModel } from "../../call.ts";
import { modelFailure } from "../../error.ts";
import type { StreamEvent } from "../../event.ts";
import { userText, type AssistantMessage, type Opaque } from "../../message.ts";
import { FREE, type Model } from "../../model.ts";
import { serveWire, type Script } from "../wire-test-support.ts";
import { server } from "./server.ts";
import { validateGoogleRequest } from "./validate-request.ts";

const MODEL = "gemini-test-1";
const WIRE = "google-generative-ai";

function own(data: string): { opaque: Opaque } {
  return { opaque: { wire: WIRE, model: MODEL, data } };
}

const REPLY: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "thinking", text: "Two files, so two reads. 🤔" },
    { type: "text", text: "I'll read both — 読みます.", ...own("dGV4dA==") },
    {
      type: "toolCall",
      id: "fc-1",
      name: "read",
      arguments: { path: "a.ts", lines: [1, 2] },
      ...own("Y2FsbA=="),
    },
    { type: "toolCall", id: "fc-2", name: "read", arguments: {} },
  ],
  provider: "google",
  model: MODEL,
  wire: WIRE,
  stopReason: "toolUse",
  usage: { input: 12, output: 34, cacheRead: 56, cacheWrite: 0, reasoning: 9 },
  timestamp: 0,
};

const BROKEN: AssistantMessage = {
  ...REPLY,
  content: REPLY.content.slice(0, 2),
  stopReason: "error",
  error: modelFailure("overloaded", "The model is overloaded."),
};

const PARAMS = {
  model: MODEL,
  contents: "Read a.ts and b.ts.",
  config: {
    systemInstruction: "Be brief.",
    maxOutputTokens: 1000,
    thinkingConfig: { includeThoughts: true, thinkingBudget: 8192 },
    tools: [
      {
        functionDeclarations: [
          {
            name: "read",
            description: "Reads a file.",
            parametersJsonSchema: { type: "object", properties: { path: { type: "string" } } },
          },
        ],
      },
    ],
    toolConfig: {
      functionCallingConfig: {
        mode: FunctionCallingConfigMode.ANY,
        allowedFunctionNames: ["read"],
      },
    },
  },
};

function sdk(baseUrl: string): GoogleGenAI {
  return new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl } });
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function chunks(
  stream: AsyncIterable<GenerateContentResponse>,
): Promise<GenerateContentResponse[]> {
  const all: GenerateContentResponse[] = [];
  for await (const chunk of stream) all.push(chunk);
  return all;
}

const partsOf = (response: GenerateContentResponse): Part[] =>
  response.candidates?.[0]?.content?.parts ?? [];

describe("the vendor's SDK", () => {
  test("streams thinking, text and two calls", async () => {
    await using http = serveWire(server, () => REPLY);
    const all = await chunks(await sdk(http.url).models.generateContentStream(PARAMS));
    const parts = all.flatMap(partsOf);
    const join = (thought: boolean) =>
      parts
        .filter((part) => (part.thought ?? false) === thought)
        .map((part) => part.text ?? "")
        .join("");
    expect(join(true)).toBe("Two files, so two reads. 🤔");
    expect(join(false)).toBe("I'll read both — 読みます.");
    expect(parts.filter((part) => part.functionCall)).toEqual([
      {
        functionCall: { id: "fc-1", name: "read", args: { path: "a.ts", lines: [1, 2] } },
        thoughtSignature: "Y2FsbA==",
      },
      { functionCall: { id: "fc-2", name: "read", args: {} } },
    ]);
    expect(parts.find((part) => part.text === "" && !part.thought)?.thoughtSignature).toBe(
      "dGV4dA==",
    );
    const last = all.at(-1)!;
    expect(last.candidates?.[0]?.finishReason as string).toBe("STOP");
    expect(last.responseId).toBe("msg_test_1");
    expect(last.modelVersion).toBe(MODEL);
    expect(last.usageMetadata).toEqual({
      promptTokenCount: 68,
      candidatesTokenCount: 25,
      thoughtsTokenCount: 9,
      cachedContentTokenCount: 56,
      totalTokenCount: 102,
    });
    expect(all.every((chunk) => chunk.candidates?.[0]?.content?.role === "model")).toBe(true);
  });

  test("gets the same reply whole, and has its request understood", async () => {
    await using http = serveWire(server, () => REPLY);
    const response = await sdk(http.url).models.generateContent(PARAMS);
    expect(response.text).toBe("I'll read both — 読みます.");
    expect(response.functionCalls).toHaveLength(2);
    expect(response.candidates?.[0]?.finishReason as string).toBe("STOP");
    expect(http.requests[0]).toMatchObject({
      modelId: MODEL,
      system: ["Be brief."],
      stream: false,
      maxOutput: 1000,
      thinking: "medium",
      toolChoice: { name: "read" },
      tools: [{ name: "read", parameters: { type: "object" } }],
    });
  });

  test("goes on in a chat, with what we sent it before", async () => {
    await using http = serveWire(server, () => REPLY);
    const chat = sdk(http.url).chats.create({ model: MODEL });
    await chunks(await chat.sendMessageStream({ message: "Read." }));
    const response = (id: string) => ({
      functionResponse: { id, name: "read", response: { output: id } },
    });
    await chat.sendMessage({ message: [response("fc-1"), response("fc-2"), "Go on."] });
    const { messages } = http.requests[1]!;
    expect(messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "toolResult",
      "user",
    ]);
    expect(messages[1]).toMatchObject({ content: REPLY.content, stopReason: "toolUse" });
    const results = messages.filter((message) => message.role === "toolResult");
    expect(results.map(({ toolCallId, toolName }) => [toolCallId, toolName])).toEqual([
      ["fc-1", "read"],
      ["fc-2", "read"],
    ]);
    expect(messages.at(-1)).toMatchObject({ role: "user", content: [{ text: "Go on." }] });
  });

  test("sees a rate limit as one", async () => {
    const failure = modelFailure("rate_limit", "Quota exceeded.", { retryAfterMs: 1500 });
    await using http = serveWire(server, () => failure);
    for (const attempt of [
      sdk(http.url).models.generateContent(PARAMS),
      sdk(http.url).models.generateContentStream(PARAMS),
    ]) {
      const error = await rejection(attempt);
      expect(error).toBeInstanceOf(ApiError);
      expect((error as ApiError).status).toBe(429);
      expect(JSON.parse((error as ApiError).message)).toEqual({
        error: {
          code: 429,
          message: "Quota exceeded.",
          status: "RESOURCE_EXHAUSTED",
          details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1.5s" }],
        },
      });
    }
  });

  test("sees an error in mid-stream, a filter and a bad request", async () => {
    await using http = serveWire(server, () => BROKEN);
    const error = await rejection(sdk(http.url).models.generateContentStream(PARAMS).then(chunks));
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).status).toBe(503);
    const filtered = { ...BROKEN, error: modelFailure("content_filter", "No.") };
    await using strict = serveWire(server, () => filtered);
    const last = (await chunks(await sdk(strict.url).models.generateContentStream(PARAMS))).at(-1);
    expect(last?.candidates?.[0]).toMatchObject({ finishReason: "SAFETY" });
    const bad = { ...PARAMS, contents: [{ role: "robot", parts: [{ text: "x" }] }] };
    const refusal = (await rejection(sdk(http.url).models.generateContent(bad))) as ApiError;
    expect(refusal.status).toBe(400);
  });
});

describe("our client", () => {
  const model = (baseUrl: string): Model => ({
    provider: "google",
    id: MODEL,
    name: MODEL,
    wire: WIRE,
    baseUrl,
    auth: "x-goog-api-key",
    contextWindow: 1_000_000,
    maxOutput: 64_000,
    input: ["text", "image"],
    thinking: ["minimal", "low", "medium", "high", "xhigh"],
    cost: FREE,
  });

  async function call(script: Script, options: { stream: boolean; suffix?: string }) {
    await using http = serveWire(server, script);
    const reply = callModel(
      {
        model: model(http.url + (options.suffix ?? "")),
        system: ["Be brief."],
        messages: [userText("Read a.ts and b.ts.", 0)],
        tools: [{ name: "read", description: "Reads.", parameters: { type: "object" } }],
        thinking: "high",
        stream: options.stream,
      },
      { credential: "test" },
    );
    const events: StreamEvent[] = [];
    for await (const event of reply) events.push(event);
    return { message: await reply.result(), events, http };
  }

  test.each([
    { stream: true },
    { stream: false },
    { stream: true, suffix: "/v1beta" },
    { stream: false, suffix: "/v1beta/" },
  ])("gets the scripted message: %o", async (options) => {
    const { message, events, http } = await call(() => REPLY, options);
    expect({ ...message, timestamp: 0 }).toEqual({ ...REPLY, responseId: "msg_test_1" });
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => !/^(text|thinking)_delta$/.test(type))).toEqual([
      "start",
      "thinking_start",
      "thinking_end",
      "text_start",
      "text_end",
      "toolcall_start",
      "toolcall_delta",
      "toolcall_end",
      "toolcall_start",
      "toolcall_delta",
      "toolcall_end",
      "done",
    ]);
    expect(validateGoogleRequest(http.bodies[0])).toEqual([]);
    expect(http.requests[0]).toMatchObject({ thinking: "high", stream: options.stream });
  });

  test("gets a typed failure before and within the stream", async () => {
    const limit = modelFailure("rate_limit", "Quota exceeded.", { retryAfterMs: 1500 });
    const refused = await call(() => limit, { stream: true });
    expect(refused.message.error).toMatchObject({
      kind: "rate_limit",
      retryable: true,
      retryAfterMs: 1500,
      status: 429,
      code: "RESOURCE_EXHAUSTED",
      provider: "google",
    });
    const broken = await call(() => BROKEN, { stream: true });
    expect(broken.message).toMatchObject({ stopReason: "error", content: BROKEN.content });
    expect(broken.message.error).toMatchObject({ kind: "overloaded", retryable: true });
    const full = await call(() => modelFailure("context_overflow", "2 > 1"), { stream: true });
    expect(full.message.error).toMatchObject({ kind: "context_overflow", retryable: false });
  });
});
