// The validator bites: each rule, broken alone, is noticed.

import { expect, test } from "bun:test";
import type { Json } from "../json.ts";
import { validateConverseRequest } from "./validate-request.ts";

const USER = { role: "user", content: [{ text: "hi" }] };
const CALL = { toolUse: { toolUseId: "t1", name: "read", input: {} } };
const RESULT = { toolResult: { toolUseId: "t1", content: [{ text: "ok" }], status: "success" } };
const TOOL = { toolSpec: { name: "read", inputSchema: { json: { type: "object" } } } };
const BODY: Json = {
  messages: [USER, { role: "assistant", content: [CALL] }, { role: "user", content: [RESULT] }],
  system: [{ text: "Be brief." }, { cachePoint: { type: "default" } }],
  inferenceConfig: { maxTokens: 2048 },
  toolConfig: { tools: [TOOL], toolChoice: { auto: {} } },
};

const turn = (call: Json, result: Json): Json => ({
  messages: [USER, { role: "assistant", content: [call] }, { role: "user", content: [result] }],
});
const reply = (...content: Json[]): Json => ({
  messages: [USER, { role: "assistant", content }, USER],
});
const said = (...content: Json[]): Json => ({ messages: [{ role: "user", content }] });
const image = (format: string, bytes: string): Json => ({ image: { format, source: { bytes } } });
const thinking = (budget_tokens: number): Json => ({
  additionalModelRequestFields: { thinking: { type: "enabled", budget_tokens } },
});
const use = (over: Json): Json => ({ toolUse: { ...CALL.toolUse, ...over } });
const answer = (over: Json): Json => ({ toolResult: { ...RESULT.toolResult, ...over } });

test("a good body is accepted", () => {
  expect(validateConverseRequest(BODY)).toEqual([]);
  expect(validateConverseRequest({ ...BODY, ...thinking(1024) })).toEqual([]);
  expect(
    validateConverseRequest({ ...BODY, ...said({ text: "x" }, image("png", "aW1n")) }),
  ).toEqual([]);
});

const BROKEN: [string, Json][] = [
  ["a field that nobody knows", { stream: true }],
  ["no messages", { messages: [] }],
  ["the assistant first", { messages: [{ role: "assistant", content: [{ text: "x" }] }, USER] }],
  ["two of one role", { messages: [USER, USER] }],
  ["the assistant last", { messages: [USER, { role: "assistant", content: [{ text: "x" }] }] }],
  ["no content", said()],
  ["a blank text", said({ text: " " })],
  ["two members in one block", said({ text: "x", image: {} })],
  ["only a cache point", said({ cachePoint: { type: "default" } })],
  ["a picture of another kind", said(image("bmp", "aW1n"))],
  ["a picture that is no base64", said(image("png", "???"))],
  ["a call without result", { messages: [USER, { role: "assistant", content: [CALL] }, USER] }],
  ["a result without call", said(RESULT)],
  ["a result behind words", turn(CALL, { text: "x" })],
  ["an empty result", turn(CALL, answer({ content: [] }))],
  ["a result without status", turn(CALL, answer({ status: "ok" }))],
  ["a bad id", turn(use({ toolUseId: "a b" }), answer({ toolUseId: "a b" }))],
  ["a long name", turn(use({ name: "x".repeat(65) }), RESULT)],
  ["arguments that are text", turn(use({ input: "{}" }), RESULT)],
  ["reasoning at the end", reply({ reasoningContent: { redactedContent: "cmVk" } })],
  [
    "unsigned reasoning",
    reply({ reasoningContent: { reasoningText: { text: "x" } } }, { text: "x" }),
  ],
  ["calls, but no tools", { toolConfig: undefined }],
  ["tools that are none", { toolConfig: { tools: [] } }],
  ["a tool twice", { toolConfig: { tools: [TOOL, TOOL] } }],
  ["a choice of no tool", { toolConfig: { tools: [TOOL], toolChoice: { tool: { name: "x" } } } }],
  ["a choice of nothing", { toolConfig: { tools: [TOOL], toolChoice: { none: {} } } }],
  ["no limit", { inferenceConfig: {} }],
  ["a hot temperature", { inferenceConfig: { maxTokens: 1, temperature: 2 } }],
  ["a budget that is too small", thinking(10)],
  ["a budget that leaves nothing", thinking(4096)],
  ["five cache points", { system: Array.from({ length: 5 }, () => ({ cachePoint: {} })) }],
];

test.each(BROKEN)("%s", (_, change) => {
  expect(validateConverseRequest({ ...BODY, ...change })).not.toEqual([]);
});

test("a foreign signature", () => {
  const body = {
    ...BODY,
    ...reply({ reasoningContent: { redactedContent: "cmVk" } }, { text: "x" }),
  };
  expect(validateConverseRequest(body, { isOwnSignature: () => true })).toEqual([]);
  expect(validateConverseRequest(body, { isOwnSignature: () => false })).not.toEqual([]);
});
