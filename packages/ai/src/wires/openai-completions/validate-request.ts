// What a strict host of this wire would say to a request body: one line a complaint.
// Written from the rules of OpenAI's own endpoint, not from the encoder, so that tests
// and the test server can hold the encoder against it.

import { asArray, asObject, asString, parseObject, type Json } from "../json.ts";

const KNOWN_FIELDS = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "store",
  "tools",
  "tool_choice",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "reasoning_effort",
  "prompt_cache_key",
  "prompt_cache_retention",
]);
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_CALL_ID_CHARS = 40;
const MAX_TEMPERATURE = 2;

export function validateCompletionsRequest(raw: unknown): string[] {
  const body = asObject(raw);
  if (!body) return ["the body is not an object"];
  const problems: string[] = [];
  for (const field of Object.keys(body)) {
    if (!KNOWN_FIELDS.has(field)) problems.push(`unknown field ${field}`);
  }
  if (!asString(body.model)) problems.push("model is missing");
  if (typeof body.stream !== "boolean") problems.push("stream is not a boolean");
  if (body.stream_options !== undefined && body.stream !== true) {
    problems.push("stream_options without stream");
  }
  checkLimits(body, problems);
  checkTools(body, problems);
  checkMessages(body.messages, problems);
  if (!isWellFormed(body)) problems.push("a text holds half a surrogate pair");
  return problems;
}

function checkLimits(body: Json, problems: string[]): void {
  for (const field of ["max_tokens", "max_completion_tokens"]) {
    const limit = body[field];
    if (limit !== undefined && !(Number.isInteger(limit) && Number(limit) > 0)) {
      problems.push(`${field} is not a positive integer`);
    }
  }
  if (!isBetween(body.temperature, 0, MAX_TEMPERATURE)) problems.push("temperature out of range");
  if (!isBetween(body.top_p, 0, 1)) problems.push("top_p out of range");
}

function isBetween(value: unknown, low: number, high: number): boolean {
  return value === undefined || (typeof value === "number" && value >= low && value <= high);
}

function checkTools(body: Json, problems: string[]): void {
  const names = new Set<string>();
  if (body.tools !== undefined && asArray(body.tools).length === 0) problems.push("tools is empty");
  for (const tool of asArray(body.tools)) {
    const fn = asObject(asObject(tool)?.function);
    const name = asString(fn?.name) ?? "";
    if (!TOOL_NAME.test(name)) problems.push(`bad tool name "${name}"`);
    if (names.has(name)) problems.push(`tool ${name} twice`);
    names.add(name);
    if (asObject(fn?.parameters)?.type !== "object") problems.push(`${name} has no object schema`);
  }
  const choice = body.tool_choice;
  if (choice === undefined) return;
  if (names.size === 0) problems.push("tool_choice without tools");
  if (typeof choice === "string") {
    if (!["auto", "none", "required"].includes(choice)) problems.push("bad tool_choice");
  } else if (!names.has(asString(asObject(asObject(choice)?.function)?.name) ?? "")) {
    problems.push("tool_choice names no tool");
  }
}

function checkMessages(raw: unknown, problems: string[]): void {
  const messages = asArray(raw);
  if (messages.length === 0) problems.push("messages is empty");
  const seen = new Set<string>();
  let waiting = new Set<string>();
  messages.forEach((item, at) => {
    const message = asObject(item) ?? {};
    const say = (problem: string): number => problems.push(`messages[${at}]: ${problem}`);
    if (message.role === "tool") {
      const id = asString(message.tool_call_id) ?? "";
      if (!waiting.delete(id)) say(`no open call "${id}"`);
      checkContent(message.content, ["text"], say);
      return;
    }
    if (waiting.size > 0) say(`calls without a result: ${[...waiting].join(", ")}`);
    waiting = new Set();
    if (message.role === "assistant") checkAssistant(message, seen, waiting, say);
    else if (message.role === "user") checkContent(message.content, ["text", "image_url"], say);
    else if (message.role === "system" || message.role === "developer") {
      checkContent(message.content, ["text"], say);
    } else say(`role ${String(message.role)}`);
  });
  if (waiting.size > 0) problems.push("the last calls have no result");
}

function checkAssistant(
  message: Json,
  seen: Set<string>,
  waiting: Set<string>,
  say: (problem: string) => void,
): void {
  const calls = asArray(message.tool_calls);
  if (message.tool_calls !== undefined && calls.length === 0) say("tool_calls is empty");
  if (message.content === null || message.content === undefined) {
    if (calls.length === 0) say("neither content nor tool_calls");
  } else checkContent(message.content, ["text"], say);
  for (const raw of calls) {
    const call = asObject(raw) ?? {};
    const id = asString(call.id) ?? "";
    const fn = asObject(call.function);
    if (call.type !== "function") say("a call is not a function");
    if (id === "" || id.length > MAX_CALL_ID_CHARS) say(`bad call id "${id}"`);
    if (seen.has(id)) say(`call id "${id}" twice`);
    seen.add(id);
    waiting.add(id);
    if (!TOOL_NAME.test(asString(fn?.name) ?? "")) say("bad function name");
    if (!parseObject(asString(fn?.arguments) ?? "")) say("arguments are not a JSON object");
  }
}

function checkContent(content: unknown, kinds: string[], say: (problem: string) => void): void {
  if (typeof content === "string") {
    if (content.trim() === "") say("blank content");
    return;
  }
  const parts = asArray(content);
  if (parts.length === 0) say("no content");
  for (const raw of parts) {
    const part = asObject(raw) ?? {};
    const type = asString(part.type) ?? "";
    if (!kinds.includes(type)) say(`part of type "${type}"`);
    if (type === "text" && (asString(part.text) ?? "").trim() === "") say("blank text part");
    const url = asString(asObject(part.image_url)?.url) ?? "";
    if (type === "image_url" && !/^data:image\/[a-z]+;base64,[A-Za-z0-9+/=]+$/.test(url)) {
      say("bad image");
    }
  }
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isWellFormed);
}
