// The body and the path, rule by rule.

import { describe, expect, test } from "bun:test";
import { userText, type AssistantMessage, type Message } from "../../message.ts";
import { FREE, type Model } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import { emptyUsage } from "../../usage.ts";
import type { Json } from "../json.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";

const MODEL: Model = {
  provider: "google",
  id: "gemini-1",
  name: "Gemini",
  wire: "google-generative-ai",
  baseUrl: "https://generativelanguage.googleapis.com",
  auth: "x-goog-api-key",
  contextWindow: 1_000_000,
  maxOutput: 65_536,
  input: ["text", "image"],
  thinking: ["minimal", "low", "medium", "high", "xhigh"],
  cost: FREE,
};
const READ = { name: "read", description: "Reads.", parameters: { type: "object" } };

function encode(over: Partial<ModelRequest> = {}, quirks?: Model["quirks"]) {
  const request: ModelRequest = {
    model: quirks ? { ...MODEL, quirks } : MODEL,
    system: ["One.", "Two."],
    messages: [userText("Hi", 0)],
    tools: [READ],
    stream: true,
    ...over,
  };
  const encoded = client.encodeRequest(request);
  return { ...encoded, body: JSON.parse(JSON.stringify(encoded.body)) as Json };
}

function reply(
  content: AssistantMessage["content"],
  over: Partial<AssistantMessage> = {},
): AssistantMessage {
  return {
    role: "assistant",
    content,
    provider: "google",
    model: "gemini-1",
    wire: "google-generative-ai",
    stopReason: "toolUse",
    usage: emptyUsage(),
    timestamp: 0,
    ...over,
  };
}

const call = (id: string) => ({
  type: "toolCall" as const,
  id,
  name: "read",
  arguments: { path: "a" },
});
const opaque = (data: string) => ({ opaque: { wire: MODEL.wire, model: MODEL.id, data } });
const PNG = { type: "image" as const, mimeType: "image/png", data: "AA==" };

describe("the body", () => {
  test("is whole", () => {
    expect(encode({ maxOutput: 99, temperature: 0.5, topP: 0.9, toolChoice: "auto" }).body).toEqual(
      {
        systemInstruction: { parts: [{ text: "One." }, { text: "Two." }] },
        tools: [
          {
            functionDeclarations: [
              { name: "read", description: "Reads.", parametersJsonSchema: { type: "object" } },
            ],
          },
        ],
        toolConfig: { functionCallingConfig: { mode: "AUTO" } },
        contents: [{ role: "user", parts: [{ text: "Hi" }] }],
        generationConfig: { maxOutputTokens: 99, temperature: 0.5, topP: 0.9 },
      },
    );
    expect(encode({ temperature: -1 }).body).not.toHaveProperty("generationConfig");
    expect(encode({}, { extraBody: { safetySettings: [], contents: [] } }).body).toMatchObject({
      safetySettings: [],
      contents: [{ role: "user" }],
    });
  });

  test("answers a step of calls in their order, with the model's ids and pictures behind", () => {
    const result = (
      toolCallId: string,
      isError: boolean,
      content: Extract<Message, { role: "toolResult" }>["content"],
    ): Message => ({
      role: "toolResult",
      toolCallId,
      toolName: "read",
      content,
      isError,
      timestamp: 0,
    });
    const messages = [
      userText("Go", 0),
      reply([
        { ...call("fc-1"), ...opaque("S1") },
        call("minted_2"),
        { ...call("fc-3"), name: "bad name!" },
      ]),
      result("fc-3", true, [{ type: "text", text: "no" }]),
      result("fc-1", false, [{ type: "text", text: "one" }, PNG]),
      userText("wait", 0),
    ];
    expect(encode({ messages }).body.contents).toEqual([
      { role: "user", parts: [{ text: "Go" }] },
      {
        role: "model",
        parts: [
          {
            functionCall: { id: "fc-1", name: "read", args: { path: "a" } },
            thoughtSignature: "S1",
          },
          { functionCall: { name: "read", args: { path: "a" } } },
          { functionCall: { id: "fc-3", name: "bad_name_", args: { path: "a" } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "fc-1", name: "read", response: { output: "one" } } },
          {
            functionResponse: {
              name: "read",
              response: { error: expect.stringContaining("interrupted") },
            },
          },
          { functionResponse: { id: "fc-3", name: "bad_name_", response: { error: "no" } } },
          { inlineData: { mimeType: "image/png", data: "AA==" } },
          { text: "wait" },
        ],
      },
    ]);
  });

  test("echoes own signatures and leaves foreign ids and thoughts at home", () => {
    const thought = { type: "thinking" as const, text: "hm" };
    const mine = reply([
      { ...thought, ...opaque("T") },
      thought,
      { type: "text", text: "a", ...opaque("U") },
    ]);
    const theirs = reply([thought, call("toolu_1")], {
      wire: "anthropic-messages",
      model: "claude-1",
    });
    const [, first, , second] = encode(
      { messages: [userText("Go", 0), mine, userText("On", 0), theirs] },
      { thinkingStyle: "level" },
    ).body.contents as Json[];
    expect(first!.parts).toEqual([
      { text: "hm", thought: true, thoughtSignature: "T" },
      { text: "a", thoughtSignature: "U" },
    ]);
    expect(second!.parts).toEqual([
      {
        functionCall: { name: "read", args: { path: "a" } },
        thoughtSignature: "skip_thought_signature_validator",
      },
    ]);
  });

  test("maps the choice of tools", () => {
    const config = (toolChoice: ModelRequest["toolChoice"]) =>
      encode({ toolChoice }).body.toolConfig;
    expect(config("none")).toEqual({ functionCallingConfig: { mode: "NONE" } });
    expect(config("required")).toEqual({ functionCallingConfig: { mode: "ANY" } });
    expect(config({ name: "read" })).toEqual({
      functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["read"] },
    });
    expect(config({ name: "gone" })).toBeUndefined();
  });

  test("asks for thinking as the model counts it", () => {
    const thinking = (over: Partial<ModelRequest>, quirks?: Model["quirks"]) =>
      (encode(over, quirks).body.generationConfig as Json | undefined)?.thinkingConfig;
    expect(thinking({ thinking: "low" })).toEqual({ includeThoughts: true, thinkingBudget: 2048 });
    expect(thinking({ thinking: "xhigh" })).toEqual({
      includeThoughts: true,
      thinkingBudget: 24_576,
    });
    expect(thinking({ thinking: "xhigh" }, { maxThinkingBudget: 32_768 })).toMatchObject({
      thinkingBudget: 32_768,
    });
    expect(thinking({ thinking: "xhigh" }, { thinkingStyle: "level" })).toEqual({
      includeThoughts: true,
      thinkingLevel: "HIGH",
    });
    expect(thinking({ thinking: "off" })).toBeUndefined();
    expect(thinking({ thinking: "off" }, { thinkingOff: { thinkingBudget: 0 } })).toEqual({
      thinkingBudget: 0,
    });
    expect(encode({ thinking: "high", maxOutput: 500 }).body.generationConfig).toMatchObject({
      maxOutputTokens: 16_884,
    });
  });
});

describe("the path", () => {
  const path = (over: Partial<Model>, stream: boolean) =>
    encode({ model: { ...MODEL, ...over }, stream }).path;

  test("names version, model and method once", () => {
    expect(path({}, true)).toBe("/v1beta/models/gemini-1:streamGenerateContent?alt=sse");
    expect(path({}, false)).toBe("/v1beta/models/gemini-1:generateContent");
    expect(path({ baseUrl: "https://host/v1beta/" }, false)).toBe(
      "/models/gemini-1:generateContent",
    );
    expect(path({ baseUrl: "https://host/v1" }, false)).toBe("/models/gemini-1:generateContent");
    expect(path({ id: "models/gemini-1" }, false)).toBe("/v1beta/models/gemini-1:generateContent");
    expect(path({ id: "tunedModels/mine" }, false)).toBe(
      "/v1beta/tunedModels/mine:generateContent",
    );
  });

  test("is understood by the server, whatever the model is called", () => {
    for (const id of ["gemini-1", "gemini 1:latest", "ünï/code?x=1&y#z", "tunedModels/mine"]) {
      for (const stream of [true, false]) {
        const url = new URL(path({ id }, stream), "http://127.0.0.1");
        expect(server.matches("POST", url)).toBe(true);
        expect(server.decodeRequest(url, new Headers(), { contents: [] })).toMatchObject({
          modelId: id,
          stream,
        });
      }
    }
    expect(server.matches("GET", new URL("http://h/v1beta/models/m:generateContent"))).toBe(false);
    expect(server.matches("POST", new URL("http://h/v1beta/models/m:countTokens"))).toBe(false);
    const noSse = new URL("http://h/v1beta/models/m:streamGenerateContent");
    expect(() => server.decodeRequest(noSse, new Headers(), { contents: [] })).toThrow("alt=sse");
  });

  test("older schemas are read as JSON Schema", () => {
    const url = new URL("http://h/v1beta/models/m:generateContent");
    const parameters = {
      type: "OBJECT",
      properties: { type: { type: "STRING" }, n: { type: "ARRAY", items: { type: "INTEGER" } } },
    };
    const body = {
      contents: [],
      tools: [{ functionDeclarations: [{ name: "f", parameters }] }, { googleSearch: {} }],
    };
    expect(server.decodeRequest(url, new Headers(), body).tools).toEqual([
      {
        name: "f",
        description: "",
        parameters: {
          type: "object",
          properties: {
            type: { type: "string" },
            n: { type: "array", items: { type: "integer" } },
          },
        },
      },
    ]);
  });
});
