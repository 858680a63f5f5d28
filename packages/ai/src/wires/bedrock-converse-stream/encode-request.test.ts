import { describe, expect, test } from "bun:test";
import type { Message } from "../../message.ts";
import type { Model } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import { callOf, READ_TOOL, resultOf, said, testModel, testRequest } from "../openai-testing.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";

const CLAUDE = testModel("bedrock-converse-stream", {
  id: "global.anthropic.claude-sonnet-4-6-v1:0",
  maxOutput: 64_000,
});

function encode(over: Partial<ModelRequest> = {}, model: Partial<Model> = {}) {
  const request = client.encodeRequest(testRequest({ ...CLAUDE, ...model }, over));
  // As it is sent.
  return { ...request, body: JSON.parse(JSON.stringify(request.body)) as typeof request.body };
}

const user = (text: string): Message => ({
  role: "user",
  content: [{ type: "text", text }],
  timestamp: 0,
});

test("the model is one segment of the path, whatever its id holds", () => {
  expect(encode().path).toBe("/model/global.anthropic.claude-sonnet-4-6-v1%3A0/converse-stream");
  expect(encode({ stream: false }).path).toEndWith("/converse");
  const arn = "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-x";
  const { path } = encode({}, { wireModelId: arn });
  const url = new URL(path, "http://h");
  expect(server.decodeRequest(url, new Headers(), { messages: [] }).modelId).toBe(arn);
});

test("a turn with tools, pictures and reasoning", () => {
  const opaque = { wire: CLAUDE.wire, model: CLAUDE.id, data: "c2ln" };
  const reply = said(CLAUDE, [
    { type: "thinking", text: "hm", opaque },
    { type: "thinking", text: "", redacted: true, opaque: { ...opaque, data: "cmVk" } },
    { type: "text", text: "Reading." },
    callOf("a|b"),
    callOf("c"),
  ]);
  const failed = { ...resultOf("c", "no such file"), isError: true };
  const picture = { type: "image" as const, mimeType: "image/png", data: "aW1n" };
  const seen = { ...resultOf("a|b"), content: [picture] };
  const { body } = encode({
    system: ["Be brief."],
    messages: [user("Read both."), reply, failed, seen],
    tools: [READ_TOOL],
    toolChoice: "auto",
    maxOutput: 100,
    temperature: 0.5,
    cacheRetention: "none",
  });
  const [first, second] = [
    (body.messages as { content: { toolUse?: { toolUseId: string } }[] }[])[1]!.content[3]!
      .toolUse!,
    { toolUseId: "c" },
  ];
  expect(first.toolUseId).toMatch(/^[\w-]{1,64}$/);
  expect(body).toEqual({
    system: [{ text: "Be brief." }],
    messages: [
      { role: "user", content: [{ text: "Read both." }] },
      {
        role: "assistant",
        content: [
          { reasoningContent: { reasoningText: { text: "hm", signature: "c2ln" } } },
          { reasoningContent: { redactedContent: "cmVk" } },
          { text: "Reading." },
          { toolUse: { ...first, name: "read", input: { path: "/a" } } },
          { toolUse: { ...second, name: "read", input: { path: "/a" } } },
        ],
      },
      {
        role: "user",
        content: [
          {
            toolResult: {
              toolUseId: first.toolUseId,
              content: [{ image: { format: "png", source: { bytes: "aW1n" } } }],
              status: "success",
            },
          },
          { toolResult: { ...second, content: [{ text: "no such file" }], status: "error" } },
        ],
      },
    ],
    toolConfig: {
      tools: [
        {
          toolSpec: {
            name: "read",
            description: "Reads.",
            inputSchema: { json: { type: "object" } },
          },
        },
      ],
      toolChoice: { auto: {} },
    },
    inferenceConfig: { maxTokens: 100, temperature: 0.5 },
  });
});

test("cache points stand behind the fixed part and the last turns", () => {
  const { body } = encode({ system: ["Be brief."], tools: [READ_TOOL] });
  const point = { cachePoint: { type: "default" } };
  expect(body.system).toEqual([{ text: "Be brief." }, point]);
  expect((body.toolConfig as { tools: unknown[] }).tools.at(-1)).toEqual(point);
  expect(body.messages).toEqual([{ role: "user", content: [{ text: "hi" }, point] }]);
  const long = { supportsLongCacheRetention: true };
  expect(encode({ cacheRetention: "long" }, { quirks: long }).body.messages).toMatchObject([
    { content: [{}, { cachePoint: { type: "default", ttl: "1h" } }] },
  ]);
  const nova = encode({ system: ["x"] }, { id: "amazon.nova-pro-v1:0" });
  expect(JSON.stringify(nova.body)).not.toContain("cachePoint");
});

describe("thinking", () => {
  test("is an extra field of Anthropic's models", () => {
    expect(encode({ thinking: "low" }).body).toMatchObject({
      additionalModelRequestFields: { thinking: { type: "enabled", budget_tokens: 2048 } },
    });
    expect(encode({ thinking: "low", tools: [READ_TOOL] }).body).toMatchObject({
      additionalModelRequestFields: { anthropic_beta: ["interleaved-thinking-2025-05-14"] },
    });
    const adaptive = encode({ thinking: "high" }, { quirks: { thinkingStyle: "adaptive" } });
    expect(adaptive.body).toMatchObject({
      additionalModelRequestFields: {
        thinking: { type: "adaptive" },
        output_config: { effort: "high" },
      },
    });
    const nova = encode({ thinking: "low" }, { id: "amazon.nova-pro-v1:0" });
    expect(nova.body).not.toHaveProperty("additionalModelRequestFields");
  });

  test("comes back as the level it was", () => {
    const { path, body } = encode({ thinking: "medium" });
    const url = new URL(path, "http://h");
    expect(server.decodeRequest(url, new Headers(), body).thinking).toBe("medium");
  });
});

test("tools that nobody may call are left out, unless the history needs them", () => {
  const none = { tools: [READ_TOOL], toolChoice: "none" as const };
  expect(encode(none).body).not.toHaveProperty("toolConfig");
  const messages = [user("a"), said(CLAUDE, [callOf("c")]), resultOf("c")];
  expect(encode({ ...none, messages }).body.toolConfig).not.toHaveProperty("toolChoice");
  expect(encode({ messages }).body.toolConfig).toMatchObject({
    tools: [{ toolSpec: { name: "read" } }, {}],
  });
});

test("a user's extra fields reach the body", () => {
  const extraBody = { guardrailConfig: { guardrailIdentifier: "g" }, messages: [] };
  const { body } = encode({}, { quirks: { extraBody } });
  expect(body.guardrailConfig).toEqual({ guardrailIdentifier: "g" });
  expect(body.messages).not.toEqual([]);
});
