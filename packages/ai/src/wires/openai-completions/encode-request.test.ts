// The request as a whole: one test a quirk, on the body that goes over the wire.

import { expect, test } from "bun:test";
import type { Message } from "../../message.ts";
import { userText } from "../../message.ts";
import type { Model } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import type { Json } from "../json.ts";
import { callOf, READ_TOOL, resultOf, said, testModel, testRequest } from "../openai-testing.ts";
import { client } from "./client.ts";
import type { CompletionsQuirks } from "./quirks.ts";

const MODEL = testModel("openai-completions");

function encode(
  quirks: Partial<CompletionsQuirks>,
  over: Partial<ModelRequest> = {},
  model: Partial<Model> = {},
): Json {
  const whole = { ...MODEL, ...model, quirks };
  return client.encodeRequest(testRequest(whole, over)).body;
}

const messagesOf = (body: Json): Json[] => body.messages as Json[];

const TURN: Message[] = [
  userText("ask", 0),
  said(MODEL, [{ type: "thinking", text: "hm" }, callOf("call_1")]),
  resultOf("call_1"),
];

test("says no more than it is asked to", () => {
  expect(client.encodeRequest(testRequest(MODEL)).body).toEqual({
    model: "m",
    messages: [{ role: "user", content: "hi" }],
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(client.encodeRequest(testRequest(MODEL)).path).toBe("/chat/completions");
});

test("leaves out a sampling value below zero", () => {
  const body = encode({}, { temperature: -1, topP: -1 });
  expect(body).not.toHaveProperty("temperature");
  expect(body).not.toHaveProperty("top_p");
  expect(encode({}, { temperature: 0, topP: 0.5 })).toMatchObject({ temperature: 0, top_p: 0.5 });
});

test("supportsSamplingWhileThinking", () => {
  const warm = { temperature: 0.5, topP: 0.9 };
  const thinker: Partial<Model> = { thinking: ["low", "high"] };
  const cold = { supportsSamplingWhileThinking: false, reasoningEffortMap: { off: "none" } };
  for (const thinking of ["high", undefined] as const) {
    const body = encode(cold, { ...warm, thinking }, thinker);
    expect(Object.keys(body)).not.toContain("temperature");
    expect(Object.keys(body)).not.toContain("top_p");
  }
  // Told not to think, or unable to.
  expect(encode(cold, { ...warm, thinking: "off" }, thinker)).toMatchObject({ temperature: 0.5 });
  const object = { ...cold, thinkingFormat: "openrouter" } as const;
  expect(encode(object, { ...warm, thinking: "off" }, thinker)).toMatchObject({ top_p: 0.9 });
  expect(encode(cold, warm, { thinking: undefined })).toMatchObject({ temperature: 0.5 });
});

test("supportsStore", () => {
  expect(encode({})).not.toHaveProperty("store");
  expect(encode({ supportsStore: true }).store).toBe(false);
});

test("supportsUsageInStreaming", () => {
  expect(encode({ supportsUsageInStreaming: false })).not.toHaveProperty("stream_options");
  expect(encode({}, { stream: false })).not.toHaveProperty("stream_options");
});

test("maxTokensField and alwaysSendMaxTokens", () => {
  expect(encode({}, { maxOutput: 9 }).max_tokens).toBe(9);
  const renamed = encode({ maxTokensField: "max_completion_tokens" }, { maxOutput: 9 });
  expect(renamed).toMatchObject({ max_completion_tokens: 9 });
  expect(renamed).not.toHaveProperty("max_tokens");
  expect(encode({})).not.toHaveProperty("max_tokens");
  expect(encode({ alwaysSendMaxTokens: true }).max_tokens).toBe(MODEL.maxOutput);
  expect(encode({ alwaysSendMaxTokens: true }, { maxOutput: 9 }).max_tokens).toBe(9);
});

test("supportsPromptCacheKey and supportsLongPromptCacheRetention", () => {
  const over = { cacheKey: "s1", cacheRetention: "long" as const };
  expect(Object.keys(encode({}, over)).join()).not.toContain("cache");
  expect(encode({ supportsPromptCacheKey: true }, over).prompt_cache_key).toBe("s1");
  const long = encode({ supportsLongPromptCacheRetention: true }, over);
  expect(long.prompt_cache_retention).toBe("24h");
});

test("supportsToolChoice, and a choice only where it can be made", () => {
  const over = { tools: [READ_TOOL], toolChoice: { name: "read" } };
  expect(encode({}, over).tool_choice).toEqual({ type: "function", function: { name: "read" } });
  expect(encode({ supportsToolChoice: false }, over)).not.toHaveProperty("tool_choice");
  expect(encode({}, { toolChoice: "required" })).not.toHaveProperty("tool_choice");
  const absent = { tools: [READ_TOOL], toolChoice: { name: "write" } };
  expect(encode({}, absent)).not.toHaveProperty("tool_choice");
});

test("supportsStrictMode and toolStrictMode", () => {
  const strictOf = (quirks: Partial<CompletionsQuirks>) =>
    (encode(quirks, { tools: [READ_TOOL] }).tools as { function: Json }[])[0]!.function.strict;
  expect(strictOf({ toolStrictMode: "all_strict" })).toBeUndefined();
  expect(strictOf({ supportsStrictMode: true })).toBe(true);
  expect(strictOf({ supportsStrictMode: true, disableStrictTools: true })).toBeUndefined();
  expect(strictOf({ supportsStrictMode: true, toolStrictMode: "all_strict" })).toBe(true);
  expect(strictOf({ supportsStrictMode: true, toolStrictMode: "none" })).toBe(false);
});

test("extraBody adds and merges but never becomes the request", () => {
  const body = encode(
    {
      extraBody: {
        model: "x",
        messages: [],
        input: [],
        stream: false,
        tools: [],
        tool_choice: "none",
        gateway: "eu",
        stream_options: { extra: 1 },
      },
    },
    { tools: [READ_TOOL] },
  );
  expect(body).toMatchObject({ model: "m", stream: true, gateway: "eu" });
  expect(body.stream_options).toEqual({ include_usage: true, extra: 1 });
  expect(body.tools).toHaveLength(1);
  expect(messagesOf(body)).toHaveLength(1);
  expect(body).not.toHaveProperty("tool_choice");
  expect(body).not.toHaveProperty("input");
});

test("cacheControlFormat marks tools, instructions and the newest input", () => {
  const body = encode(
    { cacheControlFormat: "anthropic" },
    { system: ["Be brief."], tools: [READ_TOOL], messages: TURN },
  );
  const marker = { type: "ephemeral" };
  expect(body.tools).toMatchObject([{ cache_control: marker }]);
  const messages = messagesOf(body);
  expect(messages[0]!.content).toEqual([
    { type: "text", text: "Be brief.", cache_control: marker },
  ]);
  expect(messages[1]!.content).toBe("ask");
  expect(messages.at(-1)!.content).toEqual([{ type: "text", text: "ok", cache_control: marker }]);
  const none = encode({ cacheControlFormat: "anthropic" }, { cacheRetention: "none" });
  expect(JSON.stringify(none)).not.toContain("cache_control");
});

test("routing goes to its own gateway only", () => {
  const openRouterRouting = { only: ["a"], order: ["b", "a"] };
  const vercelGatewayRouting = { order: ["c"] };
  const quirks = { openRouterRouting, vercelGatewayRouting };
  const at = (baseUrl: string) => encode(quirks, {}, { baseUrl });
  expect(at("https://openrouter.ai/api/v1").provider).toEqual(openRouterRouting);
  expect(at("https://openrouter.ai/api/v1")).not.toHaveProperty("providerOptions");
  expect(at("https://ai-gateway.vercel.sh/v1").providerOptions).toEqual({
    gateway: { order: ["c"] },
  });
  for (const other of ["https://evil.example/openrouter.ai", "https://notopenrouter.ai/v1"]) {
    expect(at(other)).not.toHaveProperty("provider");
    expect(at(other)).not.toHaveProperty("providerOptions");
  }
});

test("supportsServiceTier", () => {
  const tierOf = (quirks: Partial<CompletionsQuirks>) =>
    encode(quirks, { serviceTier: "flex" }).service_tier;
  expect(tierOf({})).toBeUndefined();
  expect(tierOf({ supportsServiceTier: true })).toBe("flex");
});
