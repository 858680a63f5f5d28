// The validator bites: each rule, broken alone, is noticed.

import { expect, test } from "bun:test";
import type { Json } from "../json.ts";
import { validateOllamaRequest } from "./validate-request.ts";

const USER = { role: "user", content: "hi" };
const CALL = { id: "c1", function: { name: "read", arguments: {} } };
const STEP = { role: "assistant", content: "", tool_calls: [CALL] };
const RESULT = { role: "tool", content: "ok", tool_name: "read", tool_call_id: "c1" };
const TOOL = { type: "function", function: { name: "read", parameters: { type: "object" } } };
const BODY: Json = {
  model: "m",
  messages: [{ role: "system", content: "Be brief." }, USER, STEP, RESULT],
  tools: [TOOL],
  think: true,
  options: { num_predict: 1 },
  stream: true,
};

test("a good body is accepted", () => {
  expect(validateOllamaRequest(BODY)).toEqual([]);
});

const messages = (...list: Json[]): Json => ({ messages: list });
const BROKEN: [string, Json][] = [
  ["a field that nobody knows", { tool_choice: "auto" }],
  ["no model", { model: "" }],
  ["no word on streaming", { stream: undefined }],
  ["a level that nobody knows", { think: "xhigh" }],
  ["the context's size", { options: { num_ctx: 1 } }],
  ["an option below zero", { options: { num_predict: -1 } }],
  ["tools that are none", { tools: [] }],
  ["a tool without parameters", { tools: [{ function: { name: "x" } }] }],
  ["no messages", { messages: [] }],
  ["a role that nobody knows", messages({ role: "developer", content: "x" })],
  ["content in parts", messages({ role: "user", content: [{ text: "x" }] })],
  ["a blank text", messages({ role: "user", content: " " })],
  ["half a character", messages({ role: "user", content: "\ud83d" })],
  ["a picture that is no base64", messages({ ...USER, images: ["???"] })],
  ["a reply of nothing", messages(USER, { role: "assistant", content: "" })],
  ["a call without result", messages(USER, STEP)],
  ["words in front of the result", messages(USER, STEP, USER, RESULT)],
  ["a result without call", messages(USER, RESULT)],
  ["a result of another tool", messages(USER, STEP, { ...RESULT, tool_name: "x" })],
  ["a result of another call", messages(USER, STEP, { ...RESULT, tool_call_id: "x" })],
  ["a blank result", messages(USER, STEP, { ...RESULT, content: "" })],
  ["an id twice", messages(USER, STEP, RESULT, STEP, RESULT)],
  [
    "arguments that are text",
    messages(
      USER,
      { ...STEP, tool_calls: [{ ...CALL, function: { name: "read", arguments: "{}" } }] },
      RESULT,
    ),
  ],
];

test.each(BROKEN)("%s", (_, change) => {
  expect(validateOllamaRequest({ ...BODY, ...change })).not.toEqual([]);
});
