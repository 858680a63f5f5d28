// Requests, lines and errors as Ollama knows them.

import { describe, expect, test } from "bun:test";
import { callModel } from "../../call.ts";
import { modelFailure } from "../../error.ts";
import type { AssistantMessage, Message } from "../../message.ts";
import type { ModelRequest } from "../../request.ts";
import { encodeNdjson } from "../../ndjson.ts";
import type { Json } from "../json.ts";
import { callOf, READ_TOOL, resultOf, said, testModel, testRequest } from "../openai-testing.ts";
import { decodePieces, messageOf, serveWire } from "../wire-test-support.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";
import { validateOllamaRequest } from "./validate-request.ts";

const MODEL = testModel("ollama-chat", { id: "qwen3:8b", auth: "none" });
const ORIGIN = { provider: "p", model: "qwen3:8b", wire: MODEL.wire };

const encode = (over: Partial<ModelRequest> = {}, quirks: Json = {}): Json =>
  client.encodeRequest(testRequest({ ...MODEL, quirks }, over)).body;

const read = (...lines: Json[]): AssistantMessage => {
  const text = lines.map(encodeNdjson).join("");
  return messageOf(decodePieces(client, [new TextEncoder().encode(text)], ORIGIN));
};

const line = (message: Json, rest: Json = {}): Json => ({
  model: "qwen3:8b",
  created_at: "2026-01-01T00:00:00Z",
  message: { role: "assistant", content: "", ...message },
  done: false,
  ...rest,
});
const DONE = { done: true, done_reason: "stop", prompt_eval_count: 10, eval_count: 5 };

describe("a request", () => {
  test("says what was asked, and leaves the context's size to the server", () => {
    const picture = { type: "image" as const, mimeType: "image/png", data: "iVBORw0KGgo=" };
    const user: Message = {
      role: "user",
      content: [{ type: "text", text: "Look." }, picture],
      timestamp: 0,
    };
    const thought = { type: "thinking" as const, text: "hm" };
    const reply = said(MODEL, [thought, { type: "text", text: "Reading." }, callOf("c1")]);
    const body = encode({
      system: ["A.", "B."],
      messages: [user, reply, { ...resultOf("c1"), content: [picture] }],
      tools: [READ_TOOL],
      maxOutput: 100,
      temperature: 0,
      topP: -1,
      thinking: "high",
    });
    expect(body).toEqual({
      model: "qwen3:8b",
      messages: [
        { role: "system", content: "A.\n\nB." },
        { role: "user", content: "Look.", images: ["iVBORw0KGgo="] },
        {
          role: "assistant",
          content: "Reading.",
          thinking: "hm",
          tool_calls: [{ id: "c1", function: { name: "read", arguments: { path: "/a" } } }],
        },
        {
          role: "tool",
          content: "(see the attached image)",
          tool_name: "read",
          tool_call_id: "c1",
        },
        { role: "user", content: "(see the attached image)", images: ["iVBORw0KGgo="] },
      ],
      stream: true,
      tools: [
        {
          type: "function",
          function: { ...READ_TOOL, parameters: { ...READ_TOOL.parameters, properties: {} } },
        },
      ],
      think: true,
      options: { num_predict: 100, temperature: 0 },
    });
    expect(validateOllamaRequest(body)).toEqual([]);
  });

  test("turns thinking on, off, or to a level", () => {
    expect(encode()).not.toHaveProperty("think");
    expect(encode({ thinking: "off" }).think).toBe(false);
    const level = { thinkStyle: "level" };
    expect(encode({ thinking: "xhigh" }, level).think).toBe("high");
    expect(encode({ thinking: "minimal" }, level).think).toBe("low");
    expect(encode({ thinking: "off" }, level).think).toBe(false);
    const { thinking: _none, ...plain } = MODEL;
    const { body } = client.encodeRequest(testRequest(plain, { thinking: "high" }));
    expect(body).not.toHaveProperty("think");
  });

  test("offers only what may be chosen", () => {
    const other = { ...READ_TOOL, name: "other" };
    const named = (toolChoice: ModelRequest["toolChoice"]) =>
      (
        (encode({ tools: [READ_TOOL, other], toolChoice }).tools ?? []) as {
          function: { name: string };
        }[]
      ).map((tool) => tool.function.name);
    expect(named(undefined)).toEqual(["read", "other"]);
    expect(named("none")).toEqual([]);
    expect(named({ name: "other" })).toEqual(["other"]);
    expect(named({ name: "gone" })).toEqual(["read", "other"]);
  });

  test("goes to the same path from either base URL", () => {
    for (const [baseUrl, path] of [
      ["http://h:11434", "/api/chat"],
      ["http://h:11434/api/", "/chat"],
    ] as const) {
      expect(client.encodeRequest(testRequest({ ...MODEL, baseUrl })).path).toBe(path);
    }
  });

  test("of an older client pairs results by name and order", () => {
    const call = (name: string) => ({ function: { name, arguments: {} } });
    const { messages } = server.decodeRequest(new URL("http://h/api/chat"), new Headers(), {
      model: "m",
      messages: [
        { role: "user", content: "go", images: ["/9j/AAAA"] },
        { role: "assistant", content: "", tool_calls: [call("a"), call("b"), call("a")] },
        { role: "tool", content: "B", tool_name: "b" },
        { role: "tool", content: "A1", tool_name: "a" },
        { role: "tool", content: "A2" },
      ],
    });
    expect(messages).toMatchObject([
      { content: [{ text: "go" }, { type: "image", mimeType: "image/jpeg" }] },
      { content: [{ id: "call_1" }, { id: "call_2" }, { id: "call_3" }] },
      { toolCallId: "call_2", toolName: "b" },
      { toolCallId: "call_1", toolName: "a" },
      { toolCallId: "call_3", toolName: "a" },
    ]);
  });
});

describe("a reply", () => {
  test("is thinking, text, and calls without ids", () => {
    const call = { function: { name: "read", arguments: { path: "a" } } };
    const reply = read(
      line({ thinking: "h" }),
      line({ thinking: "m" }),
      line({ content: "So " }),
      line({ content: "be it." }),
      line({ tool_calls: [call, { function: { name: "list", arguments: '{"n":1}' } }] }),
      line({}, DONE),
    );
    expect(reply).toMatchObject({
      stopReason: "toolUse",
      usage: { input: 10, output: 5 },
      content: [
        { type: "thinking", text: "hm" },
        { type: "text", text: "So be it." },
        { type: "toolCall", name: "read", arguments: { path: "a" } },
        { type: "toolCall", name: "list", arguments: { n: 1 } },
      ],
    });
    const ids = reply.content.flatMap((b) => (b.type === "toolCall" ? [b.id] : []));
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => /^call_\w+$/.test(id))).toBe(true);
  });

  test("ends as it says, and must end", () => {
    const said = (rest: Json) => read(line({ content: "x" }), line({}, rest));
    expect(said({ ...DONE, done_reason: "length" }).stopReason).toBe("length");
    expect(said({ done: true }).stopReason).toBe("stop");
    expect(said({}).error).toMatchObject({ kind: "protocol" });
  });

  test("may fail in the middle", () => {
    const told = read(line({ content: "ha" }), { error: "unexpected EOF" });
    expect(told).toMatchObject({ stopReason: "error", content: [{ text: "ha" }] });
    expect(told.error).toMatchObject({ kind: "overloaded", message: "unexpected EOF" });
    expect(read({ error: "slow down", status: 429 }).error).toMatchObject({ kind: "rate_limit" });
  });
});

describe("a call", () => {
  test("brings a scripted reply, streamed and whole", async () => {
    const told = said(MODEL, [
      { type: "thinking", text: "hm" },
      { type: "text", text: "Reading — 読みます 👋" },
      callOf("c1"),
    ]);
    await using http = serveWire(server, () => told);
    for (const stream of [true, false]) {
      const request = testRequest({ ...MODEL, baseUrl: http.url }, { stream });
      const reply = await callModel(request).result();
      expect(reply).toMatchObject({ stopReason: "toolUse", content: told.content });
    }
  });

  test("fails as the host says", async () => {
    await using http = serveWire(server, () =>
      modelFailure("not_found", "model 'x' not found", { status: 404, retryAfterMs: 1000 }),
    );
    const reply = await callModel(testRequest({ ...MODEL, baseUrl: http.url })).result();
    expect(reply.error).toMatchObject({
      kind: "not_found",
      message: "model 'x' not found",
      status: 404,
      retryAfterMs: 1000,
    });
  });
});
