// The validator is the judge of the property tests, so it is judged first: each rule it
// knows is broken once.

import { expect, test } from "bun:test";
import type { Json } from "../json.ts";
import { validateGoogleRequest } from "./validate-request.ts";

const user = (...parts: unknown[]) => ({ role: "user", parts });
const model = (...parts: unknown[]) => ({ role: "model", parts });
const call = (id: string | undefined, thoughtSignature: string | undefined = "own") => ({
  functionCall: { id, name: "read", args: {} },
  thoughtSignature,
});
const response = (id?: string, over: Json = {}) => ({
  functionResponse: { id, name: "read", response: { output: "ok" }, ...over },
});
const HI = user({ text: "hi" });
const TOOLS = { tools: [{ functionDeclarations: [{ name: "read" }] }] };
const IMAGE = { inlineData: { mimeType: "image/png", data: "AA==" } };
const STRICT = {
  isOwnSignature: (data: string) => data === "own",
  isOwnId: (id: string) => id.startsWith("fc"),
  signedCalls: true,
};

function body(contents: unknown[], over: Json = {}): Json {
  return { contents, ...over };
}

test("accepts a whole conversation", () => {
  const good = body(
    [
      user({ text: "go" }, IMAGE),
      model({ text: "hm", thought: true, thoughtSignature: "own" }, call("fc1"), call(undefined)),
      user(response("fc1"), response(), IMAGE, { text: "more" }),
      model({ text: "", thoughtSignature: "own" }, call("fc1", "skip_thought_signature_validator")),
      user(response("fc1", { response: { error: "no" } })),
    ],
    TOOLS,
  );
  expect(validateGoogleRequest(good, STRICT)).toEqual([]);
});

const config = (value: Json) => ({ ...TOOLS, toolConfig: { functionCallingConfig: value } });

test.each<[string, unknown]>([
  ["no body", 1],
  ["no contents", body([])],
  ["unknown field", body([HI], { messages: [] })],
  ["model first", body([model({ text: "x" }), HI])],
  ["model last", body([HI, model({ text: "x" })])],
  ["two users", body([HI, HI])],
  ["no parts", body([user()])],
  ["empty text", body([user({ text: " " })])],
  ["empty part", body([user({})])],
  ["two in one part", body([user({ text: "x", ...IMAGE })])],
  ["gif", body([user({ inlineData: { mimeType: "image/gif", data: "AA==" } })])],
  ["unanswered call", body([HI, model(call("fc1")), HI])],
  ["half answered", body([HI, model(call("fc1"), call("fc2")), user(response("fc1"))])],
  ["orphan response", body([user(response("fc1"))])],
  ["response behind text", body([HI, model(call("fc1")), user({ text: "x" }, response("fc1"))])],
  ["response to another", body([HI, model(call("fc1")), user(response("fc2"))])],
  [
    "response by another name",
    body([HI, model(call("fc1")), user(response("fc1", { name: "x" }))]),
  ],
  ["bare response", body([HI, model(call("fc1")), user(response("fc1", { response: {} }))])],
  ["response of the model", body([HI, model(response("fc1")), HI])],
  ["call of the user", body([user(call("fc1"))])],
  ["id twice", body([HI, model(call("fc1"), call("fc1")), user(response("fc1"), response("fc1"))])],
  ["foreign id", body([HI, model(call("toolu_1")), user(response("toolu_1"))])],
  ["foreign signature", body([HI, model(call("fc1", "other")), user(response("fc1"))])],
  [
    "no signature",
    body([HI, model({ functionCall: { name: "read", args: {} } }), user(response())]),
  ],
  ["unsigned thought", body([HI, model({ text: "x", thought: true }), HI])],
  [
    "bad name",
    body([
      HI,
      model({ functionCall: { name: "a b", args: {} }, thoughtSignature: "own" }),
      user(response(undefined, { name: "a b" })),
    ]),
  ],
  [
    "arguments that are no object",
    body([
      HI,
      model({ functionCall: { name: "read", args: [] }, thoughtSignature: "own" }),
      user(response()),
    ]),
  ],
  ["tool twice", body([HI], { tools: [...TOOLS.tools, ...TOOLS.tools] })],
  ["config without tools", body([HI], { ...config({ mode: "ANY" }), tools: [] })],
  ["unknown mode", body([HI], config({ mode: "MAYBE" }))],
  ["unknown function", body([HI], config({ mode: "ANY", allowedFunctionNames: ["gone"] }))],
  ["names without ANY", body([HI], config({ mode: "AUTO", allowedFunctionNames: ["read"] }))],
  [
    "two ways of thinking",
    body([HI], {
      generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: "LOW" } },
    }),
  ],
  ["no output", body([HI], { generationConfig: { maxOutputTokens: 0 } })],
])("rejects %s", (_name, bad) => {
  expect(validateGoogleRequest(bad, STRICT)).not.toEqual([]);
});
