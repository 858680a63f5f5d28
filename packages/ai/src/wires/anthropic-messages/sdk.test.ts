// The vendor's own SDK against our server half, and our client half against the same
// server: both must see the reply that the script told.

import { describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import { callModel } from "../../call.ts";
import { modelFailure } from "../../error.ts";
import type { StreamEvent } from "../../event.ts";
import type { AssistantMessage } from "../../message.ts";
import { userText } from "../../message.ts";
import { FREE, type Model } from "../../model.ts";
import { serveWire, type Script } from "../wire-test-support.ts";
import { server } from "./server.ts";
import { validateAnthropicRequest } from "./validate-request.ts";

const MODEL = "claude-test-1";

const REPLY: AssistantMessage = {
  role: "assistant",
  content: [
    {
      type: "thinking",
      text: "Two files, so two reads. 🤔",
      opaque: { wire: "anthropic-messages", model: MODEL, data: "c2lnbmF0dXJl" },
    },
    {
      type: "thinking",
      text: "",
      redacted: true,
      opaque: { wire: "anthropic-messages", model: MODEL, data: "d2l0aGhlbGQ=" },
    },
    { type: "text", text: "I'll read both — 読みます." },
    { type: "toolCall", id: "toolu_1", name: "read", arguments: { path: "a.ts", lines: [1, 2] } },
    { type: "toolCall", id: "toolu_2", name: "read", arguments: {} },
  ],
  provider: "anthropic",
  model: MODEL,
  wire: "anthropic-messages",
  stopReason: "toolUse",
  usage: { input: 12, output: 34, cacheRead: 56, cacheWrite: 78, reasoning: 9 },
  timestamp: 0,
};

const BLOCKS = [
  { type: "thinking", thinking: "Two files, so two reads. 🤔", signature: "c2lnbmF0dXJl" },
  { type: "redacted_thinking", data: "d2l0aGhlbGQ=" },
  { type: "text", text: "I'll read both — 読みます.", citations: null },
  {
    type: "tool_use",
    id: "toolu_1",
    name: "read",
    input: { path: "a.ts", lines: [1, 2] },
    caller: { type: "direct" },
  },
  { type: "tool_use", id: "toolu_2", name: "read", input: {}, caller: { type: "direct" } },
];

const PARAMS = {
  model: MODEL,
  max_tokens: 20_000,
  system: "Be brief.",
  thinking: { type: "enabled" as const, budget_tokens: 8192 },
  tools: [
    {
      name: "read",
      description: "Reads a file.",
      input_schema: { type: "object" as const, properties: { path: { type: "string" } } },
    },
  ],
  messages: [{ role: "user" as const, content: "Read a.ts and b.ts." }],
};

function sdk(url: string): Anthropic {
  return new Anthropic({ baseURL: url, apiKey: "test", maxRetries: 0 });
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("the vendor's SDK", () => {
  test("streams thinking, text and two calls", async () => {
    await using http = serveWire(server, () => REPLY);
    const stream = sdk(http.url).messages.stream(PARAMS);
    const types: string[] = [];
    stream.on("streamEvent", (event) => types.push(event.type));
    const message = await stream.finalMessage();
    expect(message.content as unknown).toEqual(BLOCKS);
    expect(message.stop_reason).toBe("tool_use");
    expect(message).toMatchObject({ id: "msg_test_1", type: "message", model: MODEL });
    expect(message.usage).toMatchObject({
      input_tokens: 12,
      output_tokens: 34,
      cache_read_input_tokens: 56,
      cache_creation_input_tokens: 78,
      output_tokens_details: { thinking_tokens: 9 },
    });
    expect(types[0]).toBe("message_start");
    expect(types.filter((type) => type === "content_block_start")).toHaveLength(5);
    expect(types.filter((type) => type === "content_block_stop")).toHaveLength(5);
    expect(types.slice(-2)).toEqual(["message_delta", "message_stop"]);
  });

  test("gets the same reply whole", async () => {
    await using http = serveWire(server, () => REPLY);
    const message = await sdk(http.url).messages.create(PARAMS);
    expect(message.content as unknown).toEqual(BLOCKS);
    expect(message.stop_reason).toBe("tool_use");
    expect(message.usage.output_tokens).toBe(34);
  });

  test("has its request understood", async () => {
    await using http = serveWire(server, () => REPLY);
    const client = sdk(http.url);
    const first = await client.messages.create(PARAMS);
    await client.messages.create({
      ...PARAMS,
      messages: [
        ...PARAMS.messages,
        { role: "assistant", content: first.content as Anthropic.ContentBlockParam[] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "toolu_1", content: "one" },
            { type: "tool_result", tool_use_id: "toolu_2", content: "two", is_error: true },
            { type: "text", text: "Go on." },
          ],
        },
      ],
    });
    expect(
      validateAnthropicRequest({
        ...PARAMS,
        messages: [{ role: "user", content: [{ type: "text", text: "x" }] }],
      }),
    ).toEqual([]);
    const request = http.requests[1]!;
    expect(request).toMatchObject({ modelId: MODEL, thinking: "medium", maxOutput: 20_000 });
    expect(request.system).toEqual(["Be brief."]);
    expect(request.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "toolResult",
      "user",
    ]);
    expect(request.messages[1]).toMatchObject({ content: REPLY.content });
    expect(request.messages[3]).toMatchObject({ toolName: "read", isError: true });
  });

  test("sees a rate limit as one", async () => {
    const failure = modelFailure("rate_limit", "Too fast.", {
      retryAfterMs: 1500,
      requestId: "req_1",
    });
    await using http = serveWire(server, () => failure);
    for (const attempt of [
      sdk(http.url).messages.create(PARAMS),
      sdk(http.url).messages.stream(PARAMS).finalMessage(),
    ]) {
      const error = await rejection(attempt);
      expect(error).toBeInstanceOf(Anthropic.RateLimitError);
      const { status, headers, type, requestID } = error as InstanceType<
        typeof Anthropic.RateLimitError
      >;
      expect(status).toBe(429);
      expect(headers.get("retry-after")).toBe("2");
      expect(type).toBe("rate_limit_error");
      expect(requestID).toBe("req_1");
    }
  });

  test("sees an error in mid-stream", async () => {
    await using http = serveWire(server, () => BROKEN);
    const error = await rejection(sdk(http.url).messages.stream(PARAMS).finalMessage());
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect((error as InstanceType<typeof Anthropic.APIError>).type).toBe("overloaded_error");
  });

  test("sees a refusal and a bad request", async () => {
    const error = modelFailure("content_filter", "No.");
    await using http = serveWire(server, () => ({
      ...REPLY,
      content: [],
      stopReason: "error",
      error,
    }));
    const message = await sdk(http.url).messages.stream(PARAMS).finalMessage();
    expect(message.stop_reason).toBe("refusal");
    expect(message.stop_details?.explanation).toBe("No.");
    const bad = sdk(http.url).messages.create({
      ...PARAMS,
      messages: [{ role: "robot" as "user", content: "x" }],
    });
    expect(await rejection(bad)).toBeInstanceOf(Anthropic.BadRequestError);
  });
});

const BROKEN: AssistantMessage = {
  ...REPLY,
  content: REPLY.content.slice(0, 3),
  stopReason: "error",
  error: modelFailure("overloaded", "Overloaded"),
};

describe("our client", () => {
  const model = (baseUrl: string): Model => ({
    provider: "anthropic",
    id: MODEL,
    name: MODEL,
    wire: "anthropic-messages",
    baseUrl,
    auth: "x-api-key",
    contextWindow: 200_000,
    maxOutput: 64_000,
    input: ["text", "image"],
    thinking: ["minimal", "low", "medium", "high", "xhigh"],
    cost: FREE,
  });

  async function call(script: Script, options: { stream: boolean; suffix?: string }) {
    await using http = serveWire(server, script);
    const reply = callModel(
      {
        model: model(http.url + (options.suffix ?? "")),
        system: ["Be brief."],
        messages: [userText("Read a.ts and b.ts.", 0)],
        tools: [{ name: "read", description: "Reads.", parameters: { type: "object" } }],
        thinking: "high",
        stream: options.stream,
      },
      { credential: "test" },
    );
    const events: StreamEvent[] = [];
    for await (const event of reply) events.push(event);
    return { message: await reply.result(), events, http };
  }

  test.each([
    { stream: true },
    { stream: false },
    { stream: true, suffix: "/v1" },
    { stream: true, suffix: "/v1/" },
  ])("gets the scripted message: %o", async (options) => {
    const { message, events, http } = await call(() => REPLY, options);
    expect({ ...message, timestamp: 0 }).toEqual({ ...REPLY, responseId: "msg_test_1" });
    expect(events.filter(({ type }) => !type.endsWith("_delta")).map(({ type }) => type)).toEqual([
      "start",
      "thinking_start",
      "thinking_end",
      "thinking_start",
      "thinking_end",
      "text_start",
      "text_end",
      "toolcall_start",
      "toolcall_end",
      "toolcall_start",
      "toolcall_end",
      "done",
    ]);
    expect(validateAnthropicRequest(http.bodies[0])).toEqual([]);
  });

  test("gets a typed failure before and within the stream", async () => {
    const limit = modelFailure("rate_limit", "Too fast.", {
      retryAfterMs: 2000,
      requestId: "req_1",
    });
    const refused = await call(() => limit, { stream: true });
    expect(refused.message.error).toMatchObject({
      kind: "rate_limit",
      retryable: true,
      retryAfterMs: 2000,
      status: 429,
      code: "rate_limit_error",
      requestId: "req_1",
      provider: "anthropic",
    });
    const broken = await call(() => BROKEN, { stream: true });
    expect(broken.message).toMatchObject({ stopReason: "error", content: BROKEN.content });
    expect(broken.message.error).toMatchObject({ kind: "overloaded", retryable: true });
    const full = await call(() => modelFailure("context_overflow", "210000 > 200000"), {
      stream: true,
    });
    expect(full.message.error).toMatchObject({ kind: "context_overflow", retryable: false });
  });
});
