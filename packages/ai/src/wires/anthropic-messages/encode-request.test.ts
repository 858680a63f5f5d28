// The body, rule by rule; and the validator, which must know each of them too.

import { describe, expect, test } from "bun:test";
import type { AssistantMessage, Message } from "../../message.ts";
import { userText } from "../../message.ts";
import { FREE, type Model } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import { emptyUsage } from "../../usage.ts";
import type { Json } from "../json.ts";
import { client } from "./client.ts";
import { validateAnthropicRequest } from "./validate-request.ts";

const MODEL: Model = {
  provider: "anthropic",
  id: "claude-1",
  name: "Claude",
  wire: "anthropic-messages",
  baseUrl: "https://api.anthropic.com",
  auth: "x-api-key",
  contextWindow: 200_000,
  maxOutput: 32_000,
  input: ["text", "image"],
  thinking: ["minimal", "low", "medium", "high", "xhigh"],
  cost: FREE,
};
const READ = { name: "read", description: "Reads.", parameters: { type: "object" } };

function encode(over: Partial<ModelRequest> = {}, quirks?: Model["quirks"]) {
  const model = quirks ? { ...MODEL, quirks } : MODEL;
  const request: ModelRequest = {
    model,
    system: ["One.", "Two."],
    messages: [userText("Hi", 0)],
    tools: [READ],
    stream: true,
    ...over,
  };
  const encoded = client.encodeRequest(request);
  return { ...encoded, body: JSON.parse(JSON.stringify(encoded.body)) as Json };
}

function reply(
  content: AssistantMessage["content"],
  over: Partial<AssistantMessage> = {},
): AssistantMessage {
  return {
    role: "assistant",
    content,
    provider: "anthropic",
    model: "claude-1",
    wire: "anthropic-messages",
    stopReason: "stop",
    usage: emptyUsage(),
    timestamp: 0,
    ...over,
  };
}

function result(toolCallId: string, text: string, isError = false): Message {
  return {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text }],
    isError,
    timestamp: 0,
  };
}

const call = (id: string) => ({
  type: "toolCall" as const,
  id,
  name: "read",
  arguments: { path: "a" },
});
const signed = {
  type: "thinking" as const,
  text: "hm",
  opaque: { wire: "anthropic-messages" as const, model: "claude-1", data: "sig" },
};
const MARK = { cache_control: { type: "ephemeral" } };

describe("the body", () => {
  test("has the path, the version and the fixed part", () => {
    const { path, headers, body } = encode();
    expect(path).toBe("/v1/messages");
    expect(headers).toEqual({ "anthropic-version": "2023-06-01" });
    expect(body).toEqual({
      model: "claude-1",
      max_tokens: 32_000,
      stream: true,
      system: [
        { type: "text", text: "One." },
        { type: "text", text: "Two.", ...MARK },
      ],
      tools: [{ name: "read", description: "Reads.", input_schema: { type: "object" }, ...MARK }],
      messages: [{ role: "user", content: [{ type: "text", text: "Hi", ...MARK }] }],
    });
    const versioned = { ...MODEL, baseUrl: "https://host/anthropic/v1/" };
    expect(encode({ model: versioned }).path).toBe("/messages");
  });

  test("puts the results of a turn first, together, then what the user said", () => {
    const messages = [
      userText("Go", 0),
      reply([call("toolu_1"), call("toolu_2")]),
      result("toolu_2", "two", true),
      userText("wait", 0),
      result("toolu_1", "one"),
      { role: "developer", content: [{ type: "text", text: "Mind the time." }], timestamp: 0 },
    ] satisfies Message[];
    const { body } = encode({ messages, cacheRetention: "none" });
    expect((body.messages as Json[])[2]).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "one" }] },
        {
          type: "tool_result",
          tool_use_id: "toolu_2",
          content: [{ type: "text", text: "two" }],
          is_error: true,
        },
        { type: "text", text: "wait" },
        { type: "text", text: "Mind the time." },
      ],
    });
    expect(validateAnthropicRequest(body)).toEqual([]);
  });

  test("replays own signatures byte for byte and drops all other thinking", () => {
    const foreign = { ...signed, opaque: { ...signed.opaque, model: "claude-2" } };
    const redacted = {
      type: "thinking" as const,
      text: "",
      redacted: true,
      opaque: { ...signed.opaque, data: "enc" },
    };
    const unsigned = { type: "thinking" as const, text: "loose" };
    const spoken = { type: "text" as const, text: "Done.  \n" };
    const messages = [
      userText("Go", 0),
      reply([signed, redacted, foreign, unsigned, spoken]),
      userText("On", 0),
    ];
    const { body } = encode({ messages });
    expect((body.messages as Json[])[1]!.content).toEqual([
      { type: "thinking", thinking: "hm", signature: "sig" },
      { type: "redacted_thinking", data: "enc" },
      { type: "text", text: "Done." },
    ]);
    const kept = encode({ messages }, { replayUnsignedThinking: true }).body.messages as Json[];
    expect(kept[1]!.content).toContainEqual({ type: "thinking", thinking: "loose", signature: "" });
  });

  test("fits foreign ids without two becoming one", () => {
    const ids = ["call.a", "call:a", "call_a", "", "x".repeat(65), `${"x".repeat(65)}y`, "call_a"];
    const messages = [userText("Go", 0), reply(ids.map(call))];
    const { body } = encode({ messages });
    expect(validateAnthropicRequest(body)).toEqual([]);
    expect(JSON.stringify(encode({ messages }).body)).toBe(JSON.stringify(body));
    const sent = ((body.messages as Json[])[1]!.content as Json[]).map(({ id }) => id);
    expect(new Set(sent).size).toBe(ids.length);
    expect(sent[2]).toBe("call_a");
  });

  test("declares the tools of the history where none is offered", () => {
    const { body } = encode({ messages: [userText("Go", 0), reply([call("toolu_1")])], tools: [] });
    expect(body.tools).toMatchObject([{ name: "read", input_schema: { type: "object" } }]);
    expect(body.tool_choice).toEqual({ type: "none" });
  });

  test("maps the choice of tools", () => {
    const choice = (toolChoice: ModelRequest["toolChoice"]) =>
      encode({ toolChoice }).body.tool_choice;
    expect(choice("auto")).toEqual({ type: "auto" });
    expect(choice("none")).toEqual({ type: "none" });
    expect(choice("required")).toEqual({ type: "any" });
    expect(choice({ name: "read" })).toEqual({ type: "tool", name: "read" });
    expect(choice({ name: "gone" })).toBeUndefined();
    expect(
      encode({ toolChoice: "required" }, { supportsForcedToolChoice: false }).body.tool_choice,
    ).toEqual({ type: "auto" });
  });

  test("keeps a longer cache only where asked and supported", () => {
    const quirks = { supportsLongCacheRetention: true };
    const marks = (body: Json) => JSON.stringify(body).match(/"cache_control":\{[^}]*\}/g) ?? [];
    expect(marks(encode({ cacheRetention: "none" }).body)).toEqual([]);
    expect(marks(encode({ cacheRetention: "long" }).body).join()).not.toContain("1h");
    expect(marks(encode({ cacheRetention: "long" }, quirks).body)[0]).toContain('"ttl":"1h"');
    const talk = Array.from({ length: 6 }, () => [
      userText("q", 0),
      reply([{ type: "text", text: "a" }]),
    ]).flat();
    expect(marks(encode({ messages: talk }).body)).toHaveLength(4);
  });
});

describe("thinking", () => {
  test.each([
    ["minimal", 1024],
    ["low", 2048],
    ["medium", 8192],
    ["high", 16_384],
    ["xhigh", 30_976],
  ] as const)("%s is a budget of %d below max_tokens", (thinking, budget_tokens) => {
    const { body, headers } = encode({ thinking, temperature: 0.3, topP: 0.5 });
    expect(body.thinking).toEqual({ type: "enabled", budget_tokens });
    expect(body.max_tokens).toBe(32_000);
    expect(body).not.toHaveProperty("temperature");
    expect(body).not.toHaveProperty("top_p");
    expect(headers["anthropic-beta"]).toBe("interleaved-thinking-2025-05-14");
  });

  test("a small answer gets room beside the thoughts; a small model does not think", () => {
    expect(encode({ thinking: "high", maxOutput: 500 }).body).toMatchObject({
      max_tokens: 16_884,
      thinking: { budget_tokens: 16_384 },
    });
    const small = { ...MODEL, maxOutput: 2000 };
    expect(encode({ thinking: "high", model: small }).body).not.toHaveProperty("thinking");
  });

  test("a forced tool comes before it", () => {
    const { body } = encode({ thinking: "high", toolChoice: "required", temperature: 2 });
    expect(body).not.toHaveProperty("thinking");
    expect(body.temperature).toBe(1);
    const quirks = { thinksByDefault: true };
    expect(encode({ toolChoice: "required" }, quirks).body.thinking).toEqual({ type: "disabled" });
    expect(encode({ thinking: "off" }, quirks).body.thinking).toEqual({ type: "disabled" });
    expect(encode({ thinking: "off" }).body).not.toHaveProperty("thinking");
  });

  test("stays off in a tool loop that began without it", () => {
    const loop = (blocks: AssistantMessage["content"]) => [
      userText("Go", 0),
      reply(blocks),
      result("toolu_1", "x"),
    ];
    expect(encode({ thinking: "high", messages: loop([call("toolu_1")]) }).body).not.toHaveProperty(
      "thinking",
    );
    expect(
      encode({ thinking: "high", messages: loop([signed, call("toolu_1")]) }).body,
    ).toHaveProperty("thinking");
  });

  test("adapts where the model wants to decide itself", () => {
    const quirks = {
      thinkingStyle: "adaptive",
      supportsSamplingParams: false,
      supportsPrefill: false,
    };
    const { body, headers } = encode({ thinking: "minimal", temperature: 0.2 }, quirks);
    expect(body.thinking).toEqual({ type: "adaptive", display: "summarized" });
    expect(body.output_config).toEqual({ effort: "low" });
    expect(body).not.toHaveProperty("temperature");
    expect(headers).not.toHaveProperty("anthropic-beta");
    const cut = reply([{ type: "text", text: "I was " }], { stopReason: "aborted" });
    const { messages } = encode({ messages: [userText("Go", 0), cut] }, quirks).body;
    expect((messages as Json[]).at(-1)?.role).toBe("user");
  });
});

describe("strict tools", () => {
  const text = { type: "string" };
  const tool = (name: string, properties: Json, required: string[] = []) => ({
    name,
    description: "",
    parameters: { type: "object", properties, required },
  });
  const strictOf = (tools: ModelRequest["tools"], quirks: Model["quirks"]) => {
    const { body } = encode({ tools }, quirks);
    return (body.tools as Json[]).map(({ strict }) => strict);
  };
  const ON = { supportsStrictMode: true };
  const RUN = tool("run", { command: { ...text, maxLength: 9 }, cwd: text }, ["command"]);

  test("are for the user to ask for, and to take back", () => {
    expect(strictOf([RUN], undefined)).toEqual([undefined]);
    expect(strictOf([RUN], ON)).toEqual([true]);
    expect(strictOf([RUN], { ...ON, disableStrictTools: true })).toEqual([undefined]);
  });

  test("are closed, and optional parameters stay optional", () => {
    const { body } = encode({ tools: [RUN] }, ON);
    expect((body.tools as Json[])[0]!.input_schema).toEqual({
      type: "object",
      properties: { command: { ...text, description: "(maxLength: 9)" }, cwd: text },
      required: ["command"],
      additionalProperties: false,
    });
  });

  test("what does not fit goes without the promise, alone", () => {
    const free = tool("free", { any: { type: "object" } });
    const odd = tool("odd", { "a b": text });
    expect(strictOf([free, RUN, odd], ON)).toEqual([undefined, true, undefined]);
  });

  test("a request has no more of them than the vendor takes", () => {
    const names = (n: number) =>
      Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}`, text]));
    const many = [tool("a", names(20)), tool("b", names(5)), tool("c", names(4))];
    expect(strictOf(many, ON)).toEqual([true, undefined, true]);
    const lot = Array.from({ length: 22 }, (_, at) => tool(`t${at}`, { x: text }, ["x"]));
    expect(strictOf(lot, ON).filter(Boolean)).toHaveLength(20);
    const either = { anyOf: [text, { type: "number" }] };
    const unions = Array.from({ length: 17 }, (_, at) => tool(`u${at}`, { x: either }, ["x"]));
    expect(strictOf(unions, ON).filter(Boolean)).toHaveLength(16);
  });
});
