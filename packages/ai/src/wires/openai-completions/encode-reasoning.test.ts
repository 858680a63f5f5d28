// How thinking is asked for and given back: one test a quirk, on the body.

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

const reasoningOf = (quirks: Partial<CompletionsQuirks>, over: Partial<ModelRequest> = {}) => {
  const {
    model: _m,
    messages: _ms,
    stream: _s,
    stream_options: _o,
    tools: _t,
    ...rest
  } = encode(quirks, { thinking: "high", ...over });
  return rest;
};

test("thinkingFormat gives each family its own shape", () => {
  const on = { thinking: "high" as const };
  const off = { thinking: "off" as const };
  expect(reasoningOf({}, on)).toEqual({ reasoning_effort: "high" });
  expect(reasoningOf({}, off)).toEqual({});
  const openrouter = { thinkingFormat: "openrouter" as const };
  expect(reasoningOf(openrouter, on)).toEqual({ reasoning: { effort: "high" } });
  expect(reasoningOf(openrouter, off)).toEqual({ reasoning: { effort: "none" } });
  const zai = { thinkingFormat: "zai" as const };
  expect(reasoningOf(zai, on)).toEqual({ thinking: { type: "enabled" } });
  expect(reasoningOf(zai, off)).toEqual({ thinking: { type: "disabled" } });
  const qwen = { thinkingFormat: "qwen" as const };
  expect(reasoningOf(qwen, on)).toEqual({ enable_thinking: true });
  expect(reasoningOf(qwen, off)).toEqual({ enable_thinking: false });
  const template = { thinkingFormat: "qwen-chat-template" as const };
  expect(reasoningOf(template, on)).toEqual({ chat_template_kwargs: { enable_thinking: true } });
});

test("is not mentioned where nobody asked or the model does not think", () => {
  expect(reasoningOf({ thinkingFormat: "qwen" }, { thinking: undefined })).toEqual({});
  const body = encode({}, { thinking: "high" }, { thinking: undefined });
  expect(body).not.toHaveProperty("reasoning_effort");
});

test("is clamped to what the model takes", () => {
  const at = (thinking: ModelRequest["thinking"]) =>
    encode({}, { thinking }, { thinking: ["low", "high"] }).reasoning_effort;
  expect([at("minimal"), at("medium"), at("xhigh")]).toEqual(["low", "low", "high"]);
});

test("supportsReasoningEffort, supportsReasoningParams, reasoningEffortMap", () => {
  expect(reasoningOf({ supportsReasoningEffort: false })).toEqual({});
  expect(reasoningOf({ supportsReasoningParams: false, thinkingFormat: "zai" })).toEqual({});
  const reasoningEffortMap = { xhigh: "max", off: "none" };
  expect(reasoningOf({ reasoningEffortMap }, { thinking: "xhigh" })).toEqual({
    reasoning_effort: "max",
  });
  expect(reasoningOf({ reasoningEffortMap }, { thinking: "off" })).toEqual({
    reasoning_effort: "none",
  });
});

test("disableReasoningOnForcedToolChoice and disableReasoningOnToolChoice", () => {
  const with_ = (toolChoice: ModelRequest["toolChoice"]) => ({ tools: [READ_TOOL], toolChoice });
  const forced = { disableReasoningOnForcedToolChoice: true };
  expect(reasoningOf(forced, with_("required"))).toEqual({ tool_choice: "required" });
  expect(reasoningOf(forced, with_({ name: "read" }))).not.toHaveProperty("reasoning_effort");
  expect(reasoningOf(forced, with_("auto"))).toHaveProperty("reasoning_effort");
  const any = { disableReasoningOnToolChoice: true };
  expect(reasoningOf(any, with_("auto"))).toEqual({ tool_choice: "auto" });
  expect(reasoningOf(any, { tools: [READ_TOOL] })).toHaveProperty("reasoning_effort");
  // What is not sent does not forbid anything.
  const silent = { ...any, supportsToolChoice: false };
  expect(reasoningOf(silent, with_("auto"))).toEqual({ reasoning_effort: "high" });
});

test("whenThinking lies over the rest, nested parts merged, only while thinking", () => {
  const quirks = {
    extraBody: { a: 1 },
    whenThinking: { supportsToolChoice: false, extraBody: { b: 2 } },
  };
  const over = { tools: [READ_TOOL], toolChoice: "auto" as const };
  const on = encode(quirks, { ...over, thinking: "low" });
  expect(on).toMatchObject({ a: 1, b: 2 });
  expect(on).not.toHaveProperty("tool_choice");
  const off = encode(quirks, { ...over, thinking: "off" });
  expect(off).toMatchObject({ a: 1, tool_choice: "auto" });
  expect(off).not.toHaveProperty("b");
});

test("is given back with tool calls where the host requires it", () => {
  const required = { requiresReasoningContentForToolCalls: true };
  const assistantOf = (quirks: Partial<CompletionsQuirks>, messages = TURN) =>
    messagesOf(encode(quirks, { messages })).find(({ role }) => role === "assistant")!;
  expect(JSON.stringify(assistantOf({}))).not.toContain("hm");
  expect(assistantOf(required).reasoning_content).toBe("hm");
  const renamed = { ...required, reasoningContentField: "reasoning" as const };
  expect(assistantOf(renamed)).toMatchObject({ reasoning: "hm" });
  const textOnly = [
    said(MODEL, [
      { type: "thinking", text: "hm" },
      { type: "text", text: "so" },
    ]),
  ];
  expect(assistantOf(required, textOnly)).toEqual({ role: "assistant", content: "so" });
});

test("allowsSyntheticReasoningContentForToolCalls", () => {
  const required = { requiresReasoningContentForToolCalls: true };
  const foreign = [
    userText("ask", 0),
    said({ ...MODEL, id: "other" }, [{ type: "thinking", text: "theirs" }, callOf("call_1")]),
  ];
  const bare = [userText("ask", 0), said(MODEL, [callOf("call_1")])];
  const field = (messages: Message[], quirks: Partial<CompletionsQuirks>) =>
    messagesOf(encode({ ...required, ...quirks }, { messages }))[1]!.reasoning_content;
  expect(field(bare, {})).toBeString();
  expect(field(foreign, {})).toBe("theirs");
  const exact = { allowsSyntheticReasoningContentForToolCalls: false };
  expect(field(bare, exact)).toBeUndefined();
  expect(field(foreign, exact)).toBeUndefined();
  expect(field(TURN, exact)).toBe("hm");
});

test("requiresThinkingAsText", () => {
  const messages = [
    said(MODEL, [
      { type: "thinking", text: "hm" },
      { type: "text", text: "so" },
    ]),
  ];
  const [assistant] = messagesOf(encode({ requiresThinkingAsText: true }, { messages }));
  expect(assistant!.content).toBe("<thinking>\nhm\n</thinking>\nso");
});
