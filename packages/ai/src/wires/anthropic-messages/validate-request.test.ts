// The validator is the judge of the property tests, so it is judged first: each rule it
// knows is broken once.

import { expect, test } from "bun:test";
import type { Json } from "../json.ts";
import { validateAnthropicRequest } from "./validate-request.ts";

const text = (value: string) => ({ type: "text", text: value });
const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const use = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: [text("ok")] });
const think = (signature: string) => ({ type: "thinking", thinking: "", signature });
const TOOLS = [{ name: "read", input_schema: { type: "object" } }];
const IMAGE = { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } };

function body(messages: unknown[], over: Json = {}): Json {
  return { model: "m", max_tokens: 4096, tools: TOOLS, messages, ...over };
}

const GOOD = body([
  user(text("go"), IMAGE),
  assistant(think("own"), text("ok"), use("a"), use("b")),
  user(result("a"), result("b"), text("more")),
  assistant(text("done")),
]);

test("accepts a whole conversation", () => {
  expect(validateAnthropicRequest(GOOD, { isOwnSignature: (data) => data === "own" })).toEqual([]);
});

const HI = user(text("hi"));
const THINK = { thinking: { type: "enabled", budget_tokens: 1024 } };

test.each<[string, unknown]>([
  ["no body", undefined],
  ["no messages", body([])],
  ["no max_tokens", { ...GOOD, max_tokens: undefined }],
  ["assistant first", body([assistant(text("hi"))])],
  ["two users", body([HI, HI])],
  ["empty content", body([user()])],
  ["blank text", body([user(text(" \n"))])],
  ["empty result", body([HI, assistant(use("a")), user({ ...result("a"), content: [] })])],
  ["unanswered call", body([HI, assistant(use("a")), HI])],
  ["call at the end", body([HI, assistant(use("a"))])],
  ["half answered", body([HI, assistant(use("a"), use("b")), user(result("a"))])],
  ["orphan result", body([user(result("a"))])],
  ["result behind text", body([HI, assistant(use("a")), user(text("x"), result("a"))])],
  ["result twice", body([HI, assistant(use("a")), user(result("a"), result("a"))])],
  ["foreign id", body([HI, assistant(use("a.b")), user(result("a.b"))])],
  ["long id", body([HI, assistant(use("a".repeat(65))), user(result("a".repeat(65)))])],
  [
    "id twice",
    body([HI, assistant(use("a")), user(result("a")), assistant(use("a")), user(result("a"))]),
  ],
  ["call of a user", body([user(use("a"))])],
  ["unsigned thinking", body([HI, assistant(think(""), text("x")), HI])],
  ["foreign signature", body([HI, assistant(think("other"), text("x")), HI])],
  ["thinking last", body([HI, assistant(text("x"), think("own")), HI])],
  ["blanks last", body([HI, assistant(text("x "))])],
  [
    "image in an error",
    body([HI, assistant(use("a")), user({ ...result("a"), is_error: true, content: [IMAGE] })]),
  ],
  ["bitmap", body([user({ ...IMAGE, source: { ...IMAGE.source, media_type: "image/bmp" } })])],
  ["undeclared tools", body([HI, assistant(use("a")), user(result("a"))], { tools: [] })],
  ["unknown choice", body([HI], { tool_choice: { type: "tool", name: "gone" } })],
  ["budget too large", body([HI], { thinking: { type: "enabled", budget_tokens: 4096 } })],
  ["budget too small", body([HI], { thinking: { type: "enabled", budget_tokens: 1000 } })],
  ["thinking and force", body([HI], { ...THINK, tool_choice: { type: "any" } })],
  ["thinking and temperature", body([HI], { ...THINK, temperature: 0 })],
  ["thinking and prefill", body([HI, assistant(text("x"))], THINK)],
  ["loop without thinking", body([HI, assistant(use("a")), user(result("a"))], THINK)],
  ["both samplers", body([HI], { temperature: 0.5, top_p: 0.5 })],
  [
    "five markers",
    body([user(...Array.from({ length: 5 }, () => ({ ...text("x"), cache_control: {} })))]),
  ],
])("rejects %s", (_name, bad) => {
  expect(validateAnthropicRequest(bad, { isOwnSignature: (data) => data === "own" })).not.toEqual(
    [],
  );
});
