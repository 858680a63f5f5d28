// The body that goes over the wire: options, replay of replies, ids of elsewhere.

import { describe, expect, test } from "bun:test";
import type { Message } from "../../message.ts";
import { userText } from "../../message.ts";
import type { Model } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import type { Json } from "../json.ts";
import { callOf, READ_TOOL, resultOf, said, testModel, testRequest } from "../openai-testing.ts";
import { client } from "./client.ts";
import type { ResponsesQuirks } from "./quirks.ts";
import { validateResponsesRequest } from "./validate-request.ts";

const MODEL = testModel("openai-responses");
const OTHER = { ...MODEL, id: "other" };

function encode(over: Partial<ModelRequest> = {}, model: Partial<Model> = {}): Json {
  const { path, body } = client.encodeRequest(testRequest({ ...MODEL, ...model }, over));
  expect(path).toBe("/responses");
  // As it is sent.
  return JSON.parse(JSON.stringify(body)) as Json;
}

const withQuirks = (quirks: Partial<ResponsesQuirks>, over: Partial<ModelRequest> = {}): Json =>
  encode(over, { quirks });
const inputOf = (messages: Message[], model: Partial<Model> = {}): Json[] =>
  encode({ messages }, model).input as Json[];
const kept = (data: unknown, model = MODEL) => ({
  wire: model.wire,
  model: model.id,
  data: JSON.stringify(data),
});
const REASONING = { id: "rs_1", summary: [], encrypted_content: "gAAA" };
const thinking = { type: "thinking" as const, text: "hm", opaque: kept(REASONING) };
const text = {
  type: "text" as const,
  text: "so",
  opaque: kept({ id: "msg_1", phase: "commentary" }),
};
const ask = userText("ask", 0);

describe("the request", () => {
  test("says no more than it is asked to", () => {
    expect(encode({}, { thinking: undefined })).toEqual({
      model: "m",
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] }],
      stream: true,
      store: false,
    });
  });

  test("carries every option under its name here", () => {
    const body = encode({
      system: ["One.", " ", "Two."],
      tools: [READ_TOOL],
      toolChoice: { name: "read" },
      maxOutput: 9,
      temperature: 0,
      topP: 0.5,
      thinking: "high",
      cacheKey: "s1",
      stream: false,
    });
    expect(body).toMatchObject({
      instructions: "One.\n\nTwo.",
      tools: [{ type: "function", ...READ_TOOL, strict: false }],
      tool_choice: { type: "function", name: "read" },
      max_output_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      reasoning: { effort: "high", summary: "auto" },
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: "s1",
      stream: false,
    });
    expect(validateResponsesRequest(body)).toEqual([]);
    expect(encode({ temperature: -1 })).not.toHaveProperty("temperature");
  });

  test("asks for no reasoning where it is off or the model has none", () => {
    expect(encode({ thinking: "off" })).not.toHaveProperty("reasoning");
    const off = withQuirks({ reasoningEffortMap: { off: "none" } }, { thinking: "off" });
    expect(off.reasoning).toEqual({ effort: "none" });
    const plain = encode({ thinking: "high" }, { thinking: undefined });
    expect(plain).not.toHaveProperty("reasoning");
    expect(plain).not.toHaveProperty("include");
    expect(encode({ thinking: "xhigh" }, { thinking: ["low", "medium"] }).reasoning).toEqual({
      effort: "medium",
      summary: "auto",
    });
  });

  test("bends to what a host takes", () => {
    expect(withQuirks({ supportsStore: false })).not.toHaveProperty("store");
    expect(withQuirks({ supportsEncryptedReasoning: false })).not.toHaveProperty("include");
    const over = { thinking: "high" as const, cacheKey: "s1", cacheRetention: "long" as const };
    expect(withQuirks({ supportsReasoningParams: false }, over)).not.toHaveProperty("reasoning");
    expect(withQuirks({ reasoningSummary: "none" }, over).reasoning).toEqual({ effort: "high" });
    const silent = withQuirks({ supportsPromptCacheKey: false }, over);
    expect(silent).not.toHaveProperty("prompt_cache_key");
    expect(silent).not.toHaveProperty("prompt_cache_retention");
    const long = withQuirks({ supportsLongPromptCacheRetention: true }, over);
    expect(long.prompt_cache_retention).toBe("24h");
    const choice = { tools: [READ_TOOL], toolChoice: "auto" as const };
    expect(withQuirks({ supportsToolChoice: false }, choice)).not.toHaveProperty("tool_choice");
    const extra = withQuirks({ extraBody: { input: [], service_tier: "flex", store: true } });
    expect(extra).toMatchObject({ service_tier: "flex", store: true });
    expect(extra.input).toHaveLength(1);
    const later: Message = {
      role: "developer",
      content: [{ type: "text", text: "Now." }],
      timestamp: 0,
    };
    const roleOf = (body: Json) => (body.input as Json[])[1]!.role;
    expect(roleOf(encode({ messages: [ask, later] }))).toBe("developer");
    const system = withQuirks({ supportsDeveloperRole: false }, { messages: [ask, later] });
    expect(roleOf(system)).toBe("system");
  });
});

describe("replies of the same model", () => {
  test("go back with their reasoning, ids and phase", () => {
    const reply = said(MODEL, [thinking, text, callOf("call_1|fc_1")]);
    expect(inputOf([ask, reply, resultOf("call_1|fc_1")]).slice(1)).toEqual([
      { type: "reasoning", ...REASONING },
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        status: "completed",
        content: [{ type: "output_text", text: "so", annotations: [] }],
        phase: "commentary",
      },
      {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "read",
        arguments: '{"path":"/a"}',
      },
      { type: "function_call_output", call_id: "call_1", output: "ok" },
    ]);
  });

  test("have the parts of one message item in one item", () => {
    const input = inputOf([ask, said(MODEL, [text, { ...text, text: "then" }])]);
    expect(input).toHaveLength(2);
    expect(input[1]!.content).toMatchObject([{ text: "so" }, { text: "then" }]);
  });

  test("lose reasoning that leads to nothing", () => {
    const aborted = said(MODEL, [thinking], { stopReason: "aborted" });
    expect(inputOf([ask, aborted, ask])).toHaveLength(2);
    expect(inputOf([ask, said(MODEL, [text, thinking])]).map(({ type }) => type)).toEqual([
      "message",
      "message",
    ]);
  });

  test("lose the ids behind reasoning that cannot be replayed", () => {
    const bare = { type: "thinking" as const, text: "hm" };
    const input = inputOf([ask, said(MODEL, [bare, text, callOf("call_1|fc_1")])]);
    expect(input.slice(1, 3).map(({ id }) => id)).toEqual([undefined, undefined]);
    const plain = { ...thinking, opaque: kept({ id: "rs_1", summary: [] }) };
    const unencrypted = said(MODEL, [plain, text]);
    expect(inputOf([ask, unencrypted]).map(({ type }) => type)).toEqual(["message", "message"]);
    const local = { quirks: { replaysPlainReasoning: true } };
    expect(inputOf([ask, unencrypted], local)[1]).toMatchObject({ type: "reasoning", id: "rs_1" });
  });

  test("never use an item id twice", () => {
    const reply = said(MODEL, [thinking, text, callOf("call_1|fc_1")]);
    const body = encode({ messages: [ask, reply, ask, reply] });
    expect(validateResponsesRequest(body)).toEqual([]);
  });
});

describe("replies of elsewhere", () => {
  test("go without foreign reasoning and ids", () => {
    const reply = said(OTHER, [
      { ...thinking, opaque: kept(REASONING, OTHER) },
      { ...text, opaque: kept({ id: "msg_1" }, OTHER) },
      callOf("call_1|fc_1"),
    ]);
    const input = inputOf([ask, reply]);
    expect(input.map(({ type }) => type)).toEqual([
      "message",
      "message",
      "function_call",
      "function_call_output",
    ]);
    expect(input.slice(1, 3).every((item) => !("id" in item))).toBe(true);
    expect(inputOf([ask, said(OTHER, [callOf("call_1|fc_1")])])[1]).not.toHaveProperty("id");
  });

  test("have call ids that fit, the same each time, alike on both sides", () => {
    const ids = ["toolu_01", "functions.read:0", `call_${"x".repeat(80)}`, "", "ünï"];
    const reply = said({ ...OTHER, wire: "anthropic-messages" }, ids.map(callOf));
    const messages = [ask, reply, ...ids.map((id) => resultOf(id))];
    const input = inputOf(messages);
    expect(inputOf(messages)).toEqual(input);
    const calls = input.slice(1, 1 + ids.length).map(({ call_id }) => call_id as string);
    expect(calls[0]).toBe("toolu_01");
    for (const id of calls) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(calls).size).toBe(ids.length);
    expect(input.slice(1 + ids.length).map(({ call_id }) => call_id)).toEqual(calls);
  });

  test("have item ids of the vendor's form where a host of this wire named them freely", () => {
    const input = inputOf([ask, said(MODEL, [callOf("call_1|odd+id/9==")])]);
    expect(input[1]!.id).toMatch(/^fc_[A-Za-z0-9]+$/);
    expect(input[1]!.call_id).toBe("call_1");
  });
});

test("images go inline, in input and in results", () => {
  const image = { type: "image" as const, mimeType: "image/png", data: "AA==" };
  const part = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,AA==" };
  const messages: Message[] = [
    { role: "user", content: [image], timestamp: 0 },
    said(MODEL, [callOf("a")]),
    { ...resultOf("a"), content: [{ type: "text", text: "see" }, image] },
  ];
  const input = inputOf(messages);
  expect(input[0]!.content).toEqual([part]);
  expect(input[2]!.output).toEqual([{ type: "input_text", text: "see" }, part]);
});

test("a call without a result gets one that says so", () => {
  const body = encode({ messages: [ask, said(MODEL, [callOf("a")]), ask] });
  expect(validateResponsesRequest(body)).toEqual([]);
  expect((body.input as Json[])[2]).toMatchObject({ type: "function_call_output", call_id: "a" });
});
