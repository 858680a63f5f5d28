// What a strict reader of Ollama's chat API would say to a body: one line a complaint.
// Ollama itself shrugs at much of this; the models' templates then make nonsense of it. For
// tests.

import { asArray, asObject, asString, type Json } from "../json.ts";

const FIELDS = new Set(["model", "messages", "stream", "tools", "think", "options"]);
const OPTIONS = new Set(["num_predict", "temperature", "top_p"]);
const THINK = new Set<unknown>([true, false, "low", "medium", "high"]);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function validateOllamaRequest(raw: unknown): string[] {
  const body = asObject(raw);
  if (!body) return ["the body is no object"];
  const faults: string[] = [];
  const must = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  for (const field of Object.keys(body)) must(FIELDS.has(field), `unknown field ${field}`);
  must(!!asString(body.model), "model is required");
  must(typeof body.stream === "boolean", "stream is not said");
  must(body.think === undefined || THINK.has(body.think), "think");
  for (const [option, value] of Object.entries(asObject(body.options) ?? {})) {
    must(OPTIONS.has(option), `option ${option} is not ours to set`);
    must(typeof value === "number" && value >= 0, `option ${option}`);
  }
  checkTools(body, must);
  checkMessages(body, must);
  must(isWellFormed(body), "a text holds half a surrogate pair");
  return faults;
}

type Must = (holds: boolean, fault: string) => void;

function checkTools(body: Json, must: Must): void {
  const tools = asArray(body.tools).map((tool) => asObject(asObject(tool)?.function) ?? {});
  must(body.tools === undefined || tools.length > 0, "tools is empty");
  for (const fn of tools) {
    must(!!asString(fn.name), "a tool without a name");
    must(asObject(fn.parameters)?.type === "object", "parameters must be an object");
  }
}

function checkMessages(body: Json, must: Must): void {
  const messages = asArray(body.messages).map((message) => asObject(message) ?? {});
  must(messages.length > 0, "messages is empty");
  const ids = new Set<string>();
  let waiting: { id: string; name: string }[] = [];
  messages.forEach((message, at) => {
    const say: Must = (holds, fault) => must(holds, `messages[${at}]: ${fault}`);
    const text = asString(message.content);
    say(text !== undefined, "content must be text");
    const blank = (text ?? "").trim() === "";
    if (message.role === "tool") {
      const call = waiting.shift();
      say(call !== undefined, "no call asks for this result");
      say(message.tool_name === call?.name, "results must stand in the order of their calls");
      say(message.tool_call_id === call?.id, "the id is not the call's");
      say(!blank, "blank result");
      return;
    }
    say(waiting.length === 0, "calls before it have no result");
    waiting = [];
    if (message.role === "assistant") {
      for (const item of asArray(message.tool_calls)) {
        const call = asObject(item) ?? {};
        const fn = asObject(call.function) ?? {};
        const id = asString(call.id) ?? "";
        say(id !== "" && !ids.has(id), `call id "${id}"`);
        ids.add(id);
        say(!!asString(fn.name), "a call without a name");
        say(asObject(fn.arguments) !== undefined, "arguments must be an object");
        waiting.push({ id, name: asString(fn.name) ?? "" });
      }
      say(message.tool_calls === undefined || waiting.length > 0, "tool_calls is empty");
      say(!blank || waiting.length > 0, "neither text nor calls");
    } else {
      say(message.role === "user" || message.role === "system", `role ${String(message.role)}`);
      say(!blank, "blank text");
      for (const image of asArray(message.images)) {
        say(message.role === "user" && BASE64.test(asString(image) ?? "?"), "image");
      }
    }
  });
  must(waiting.length === 0, "the last calls have no result");
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isWellFormed);
}
