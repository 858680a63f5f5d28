// What OpenAI's Responses endpoint would say to a request body: one line a complaint.
// Written from the API's rules, not from the encoder, so that tests and the test server
// can hold the encoder against it.

import { asArray, asObject, asString, parseObject, type Json } from "../json.ts";

const KNOWN_FIELDS = new Set([
  "model",
  "input",
  "instructions",
  "stream",
  "store",
  "include",
  "reasoning",
  "tools",
  "tool_choice",
  "max_output_tokens",
  "temperature",
  "top_p",
  "prompt_cache_key",
  "prompt_cache_retention",
]);
const EFFORTS = new Set(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const VENDOR_ID = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_TEMPERATURE = 2;

type Say = (problem: string) => void;

export function validateResponsesRequest(raw: unknown): string[] {
  const body = asObject(raw);
  if (!body) return ["the body is not an object"];
  const problems: string[] = [];
  const say: Say = (problem) => problems.push(problem);
  for (const field of Object.keys(body)) {
    if (!KNOWN_FIELDS.has(field)) say(`unknown field ${field}`);
  }
  if (!asString(body.model)) say("model is missing");
  if (typeof body.stream !== "boolean") say("stream is not a boolean");
  if (body.store !== false) say("store is not false");
  if (body.instructions !== undefined && !asString(body.instructions)?.trim()) {
    say("instructions are blank");
  }
  checkOptions(body, say);
  checkTools(body, say);
  new InputChecker(body, problems).check();
  if (!isWellFormed(body)) say("a text holds half a surrogate pair");
  return problems;
}

function checkOptions(body: Json, say: Say): void {
  const limit = body.max_output_tokens;
  if (limit !== undefined && !(Number.isInteger(limit) && Number(limit) > 0)) {
    say("max_output_tokens is not a positive integer");
  }
  if (!isBetween(body.temperature, 0, MAX_TEMPERATURE)) say("temperature out of range");
  if (!isBetween(body.top_p, 0, 1)) say("top_p out of range");
  const effort = asObject(body.reasoning)?.effort;
  if (body.reasoning !== undefined && !EFFORTS.has(String(effort))) say("bad effort");
}

function isBetween(value: unknown, low: number, high: number): boolean {
  return value === undefined || (typeof value === "number" && value >= low && value <= high);
}

function checkTools(body: Json, say: Say): void {
  const names = new Set<string>();
  if (body.tools !== undefined && asArray(body.tools).length === 0) say("tools is empty");
  for (const raw of asArray(body.tools)) {
    const tool = asObject(raw) ?? {};
    const name = asString(tool.name) ?? "";
    if (tool.type !== "function") say("a tool is not a function");
    if (!TOOL_NAME.test(name)) say(`bad tool name "${name}"`);
    if (names.has(name)) say(`tool ${name} twice`);
    names.add(name);
    if (typeof tool.strict !== "boolean") say(`${name} does not say whether it is strict`);
    if (asObject(tool.parameters)?.type !== "object") say(`${name} has no object schema`);
  }
  const choice = body.tool_choice;
  if (choice === undefined) return;
  if (names.size === 0) say("tool_choice without tools");
  if (typeof choice === "string") {
    if (!["auto", "none", "required"].includes(choice)) say("bad tool_choice");
  } else if (!names.has(asString(asObject(choice)?.name) ?? "")) say("tool_choice names no tool");
}

class InputChecker {
  #items: Json[];
  #problems: string[];
  #at = 0;
  #itemIds = new Set<string>();
  #callIds = new Set<string>();
  #waiting = new Set<string>();

  constructor(body: Json, problems: string[]) {
    this.#items = asArray(body.input).map((item) => asObject(item) ?? {});
    this.#problems = problems;
  }

  check(): void {
    if (this.#items.length === 0) this.#problems.push("input is empty");
    for (this.#at = 0; this.#at < this.#items.length; this.#at++) {
      const item = this.#items[this.#at]!;
      this.#checkId(item);
      if (item.type === "function_call") this.#call(item);
      else if (item.type === "function_call_output") this.#output(item);
      else {
        // Items of the same reply may stand between a call and its output, input may not.
        const isReply = item.type === "reasoning" || item.role === "assistant";
        if (this.#waiting.size > 0 && !isReply) this.#say("calls without an output before it");
        if (item.type === "message") this.#message(item);
        else if (item.type === "reasoning") this.#reasoning(item);
        else this.#say(`type ${String(item.type)}`);
      }
    }
    if (this.#waiting.size > 0) this.#problems.push("the last calls have no output");
  }

  #say(problem: string): void {
    this.#problems.push(`input[${this.#at}]: ${problem}`);
  }

  #checkId(item: Json): void {
    if (item.id === undefined) return;
    const id = asString(item.id) ?? "";
    if (!VENDOR_ID.test(id)) this.#say(`bad item id "${id}"`);
    if (item.type === "function_call" && !id.startsWith("fc_")) this.#say(`item id "${id}"`);
    if (this.#itemIds.has(id)) this.#say(`item id "${id}" twice`);
    this.#itemIds.add(id);
  }

  #message(item: Json): void {
    const isAssistant = item.role === "assistant";
    if (!isAssistant && !["user", "developer", "system"].includes(String(item.role))) {
      this.#say(`role ${String(item.role)}`);
    }
    const images = item.role === "user" ? ["input_image"] : [];
    this.#content(item.content, isAssistant ? ["output_text"] : ["input_text", ...images]);
  }

  /** A reasoning item must lead to an item of the same reply. */
  #reasoning(item: Json): void {
    if (!asString(item.id)) this.#say("reasoning without id");
    if (!Array.isArray(item.summary)) this.#say("reasoning without summary");
    if (!asString(item.encrypted_content)) this.#say("reasoning that refers to nothing");
    const next = this.#items.slice(this.#at + 1).find(({ type }) => type !== "reasoning");
    const isLed = next?.type === "function_call" || next?.role === "assistant";
    if (!isLed) this.#say("reasoning without its following item");
  }

  #call(item: Json): void {
    const id = asString(item.call_id) ?? "";
    if (!VENDOR_ID.test(id)) this.#say(`bad call id "${id}"`);
    if (this.#callIds.has(id)) this.#say(`call id "${id}" twice`);
    this.#callIds.add(id);
    this.#waiting.add(id);
    if (!TOOL_NAME.test(asString(item.name) ?? "")) this.#say("bad function name");
    if (!parseObject(asString(item.arguments) ?? "")) this.#say("arguments are no JSON object");
  }

  #output(item: Json): void {
    const id = asString(item.call_id) ?? "";
    if (!this.#waiting.delete(id)) this.#say(`no open call "${id}"`);
    this.#content(item.output, ["input_text", "input_image"]);
  }

  #content(content: unknown, kinds: string[]): void {
    if (typeof content === "string") {
      if (content.trim() === "") this.#say("blank text");
      return;
    }
    const parts = asArray(content);
    if (parts.length === 0) this.#say("no content");
    for (const raw of parts) {
      const part = asObject(raw) ?? {};
      const type = asString(part.type) ?? "";
      if (!kinds.includes(type)) this.#say(`part of type "${type}"`);
      if (type.endsWith("_text") && !asString(part.text)?.trim()) this.#say("blank text part");
      const url = asString(part.image_url) ?? "";
      if (type === "input_image" && !/^data:image\/[a-z]+;base64,[A-Za-z0-9+/=]+$/.test(url)) {
        this.#say("bad image");
      }
    }
  }
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isWellFormed);
}
