// How messages look on this wire: one test a quirk, on the body.

import { expect, test } from "bun:test";
import type { Message } from "../../message.ts";
import { userText } from "../../message.ts";
import type { Model } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import type { Json } from "../json.ts";
import { callOf, resultOf, said, testModel, testRequest } from "../openai-testing.ts";
import { client } from "./client.ts";
import type { CompletionsQuirks } from "./quirks.ts";
import { validateCompletionsRequest } from "./validate-request.ts";

const MODEL = testModel("openai-completions");

function encode(
  quirks: Partial<CompletionsQuirks>,
  over: Partial<ModelRequest> = {},
  model: Partial<Model> = {},
): Json {
  const whole = { ...MODEL, ...model, quirks };
  // As it is sent.
  return JSON.parse(JSON.stringify(client.encodeRequest(testRequest(whole, over)).body)) as Json;
}

const messagesOf = (body: Json): Json[] => body.messages as Json[];

const TURN: Message[] = [
  userText("ask", 0),
  said(MODEL, [{ type: "thinking", text: "hm" }, callOf("call_1")]),
  resultOf("call_1"),
];

test("supportsMultipleSystemMessages, and blank ones are nothing", () => {
  const system = ["One.", " ", "Two."];
  const later: Message[] = [
    userText("hi", 0),
    { role: "developer", content: [{ type: "text", text: "Now." }], timestamp: 0 },
  ];
  expect(messagesOf(encode({}, { system, messages: later }))).toEqual([
    { role: "system", content: "One.\n\nTwo." },
    { role: "user", content: "hi" },
    { role: "user", content: "Now." },
  ]);
  const many = { supportsMultipleSystemMessages: true };
  expect(messagesOf(encode(many, { system, messages: later }))).toEqual([
    { role: "system", content: "One." },
    { role: "system", content: "Two." },
    { role: "user", content: "hi" },
    { role: "system", content: "Now." },
  ]);
});

test("supportsDeveloperRole is for models that think", () => {
  const quirks = { supportsDeveloperRole: true };
  const over = { system: ["One."] };
  expect(messagesOf(encode(quirks, over))[0]!.role).toBe("developer");
  expect(messagesOf(encode(quirks, over, { thinking: undefined }))[0]!.role).toBe("system");
});

test("requiresToolResultName", () => {
  expect(messagesOf(encode({}, { messages: TURN })).at(-1)).not.toHaveProperty("name");
  const named = encode({ requiresToolResultName: true }, { messages: TURN });
  expect(messagesOf(named).at(-1)).toMatchObject({ role: "tool", name: "read" });
});

test("requiresAssistantAfterToolResult", () => {
  const quirks = { requiresAssistantAfterToolResult: true };
  const roles = (messages: Message[]) =>
    messagesOf(encode(quirks, { messages })).map(({ role }) => role);
  const next = userText("and?", 0);
  expect(roles([...TURN, next])).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  expect(roles(TURN)).toEqual(["user", "assistant", "tool"]);
  const picture: Message = {
    ...resultOf("call_1"),
    content: [{ type: "image", mimeType: "image/png", data: "AA==" }],
  };
  expect(roles([...TURN.slice(0, 2), picture])).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
  ]);
});

test("requiresAssistantContentForToolCalls", () => {
  expect(messagesOf(encode({}, { messages: TURN }))[1]!.content).toBeNull();
  const body = encode({ requiresAssistantContentForToolCalls: true }, { messages: TURN });
  expect(messagesOf(body)[1]!.content).toBeString();
  expect(validateCompletionsRequest(body)).toEqual([]);
});

test("requiresMistralToolIds: nine alphanumerics, alike on both sides, kept if they fit", () => {
  const messages = [
    userText("ask", 0),
    said(MODEL, [callOf("call_1"), callOf("abcDEF123"), callOf("toolu_01")]),
    resultOf("call_1"),
    resultOf("abcDEF123"),
    resultOf("toolu_01"),
  ];
  const encoded = messagesOf(encode({ requiresMistralToolIds: true }, { messages }));
  const ids = (encoded[1]!.tool_calls as Json[]).map(({ id }) => id as string);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
  expect(ids[1]).toBe("abcDEF123");
  expect(new Set(ids).size).toBe(3);
  expect(encoded.slice(2).map(({ tool_call_id }) => tool_call_id)).toEqual(ids);
});

test("ids of other wires fit, repeat the same, and differ where they were used twice", () => {
  const long = `call_${"x".repeat(80)}`;
  const messages = [
    userText("ask", 0),
    said(MODEL, [callOf("call_9|fc_1"), callOf(long), callOf("functions.read:0")]),
    said(MODEL, [callOf("functions.read:0")]),
  ];
  const idsOf = () =>
    messagesOf(encode({}, { messages })).flatMap(({ tool_calls }) =>
      ((tool_calls ?? []) as Json[]).map(({ id }) => id as string),
    );
  const ids = idsOf();
  expect(ids).toEqual(idsOf());
  expect(ids[0]).toBe("call_9");
  expect(ids[1]!.length).toBeLessThanOrEqual(40);
  expect(ids.slice(2)).toEqual(["functions.read:0", "functions.read:0_2"]);
});

test("a reply that is nothing but thinking is not sent", () => {
  const messages = [
    userText("ask", 0),
    said(MODEL, [{ type: "thinking", text: "hm" }], { stopReason: "aborted" }),
    userText("go on", 0),
  ];
  expect(messagesOf(encode({}, { messages }))).toEqual([
    { role: "user", content: "ask" },
    { role: "user", content: "go on" },
  ]);
});

test("images go as data URLs; those of results follow as the user's", () => {
  const image = { type: "image" as const, mimeType: "image/png", data: "AA==" };
  const url = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
  const messages: Message[] = [
    { role: "user", content: [{ type: "text", text: "see" }, image], timestamp: 0 },
    said(MODEL, [callOf("a"), callOf("b")]),
    { ...resultOf("a"), content: [image] },
    resultOf("b"),
  ];
  expect(messagesOf(encode({}, { messages }))).toMatchObject([
    { role: "user", content: [{ type: "text", text: "see" }, url] },
    { role: "assistant" },
    { role: "tool", tool_call_id: "a", content: "(see the attached image)" },
    { role: "tool", tool_call_id: "b", content: "ok" },
    { role: "user", content: [url] },
  ]);
});
