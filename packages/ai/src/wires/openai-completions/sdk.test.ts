// The server half judged by OpenAI's own client: what it accepts without complaint and
// reads as we meant it is faithful enough for anyone's client.

import { describe, expect, test } from "bun:test";
import OpenAI, { APIError, AuthenticationError, RateLimitError } from "openai";
import { modelFailure } from "../../error.ts";
import type { AssistantMessage } from "../../message.ts";
import { said, testModel } from "../openai-testing.ts";
import { serveWire, type Script } from "../wire-test-support.ts";
import { server } from "./server.ts";
import { validateCompletionsRequest } from "./validate-request.ts";

const MODEL = testModel("openai-completions");
const REPLY: AssistantMessage = said(
  MODEL,
  [
    { type: "thinking", text: "Two files, then. 🤔" },
    { type: "text", text: "Let me look — ünïcode too." },
    { type: "toolCall", id: "call_a", name: "read", arguments: { path: "/a", deep: { n: 1 } } },
    { type: "toolCall", id: "call_b", name: "read", arguments: { path: "/b" } },
  ],
  { usage: { input: 10, output: 7, cacheRead: 90, cacheWrite: 5, reasoning: 3 } },
);
const ASK = {
  model: "m",
  messages: [
    { role: "system" as const, content: "Be brief." },
    { role: "user" as const, content: "Read both." },
  ],
  tools: [
    {
      type: "function" as const,
      function: { name: "read", description: "Reads.", parameters: { type: "object" } },
    },
  ],
};

function fixture(script: Script) {
  const http = serveWire(server, script);
  const openai = new OpenAI({ apiKey: "k", baseURL: `${http.url}/v1`, maxRetries: 0 });
  return { http, openai, [Symbol.asyncDispose]: () => http[Symbol.asyncDispose]() };
}

const USAGE = {
  prompt_tokens: 105,
  completion_tokens: 7,
  total_tokens: 112,
  prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 5 },
  completion_tokens_details: { reasoning_tokens: 3 },
};
const CALLS = [
  { id: "call_a", function: { name: "read", arguments: '{"path":"/a","deep":{"n":1}}' } },
  { id: "call_b", function: { name: "read", arguments: '{"path":"/b"}' } },
];

describe("the official client", () => {
  test("reads a whole reply", async () => {
    await using f = fixture(() => REPLY);
    const reply = await f.openai.chat.completions.create(ASK);
    const choice = reply.choices[0]!;
    expect(choice.finish_reason).toBe("tool_calls");
    expect(choice.message.content).toBe("Let me look — ünïcode too.");
    expect(choice.message).toHaveProperty("reasoning_content", "Two files, then. 🤔");
    expect(choice.message.tool_calls).toMatchObject(CALLS);
    expect(reply.usage).toMatchObject(USAGE);
    expect(f.http.requests[0]).toMatchObject({
      modelId: "m",
      system: ["Be brief."],
      messages: [{ role: "user", content: [{ type: "text", text: "Read both." }] }],
      tools: [{ name: "read", description: "Reads." }],
      stream: false,
    });
  });

  test("streams a reply and assembles the same message", async () => {
    await using f = fixture(() => REPLY);
    const stream = f.openai.chat.completions.stream({
      ...ASK,
      stream_options: { include_usage: true },
    });
    let text = "";
    let thinking = "";
    stream.on("chunk", ({ choices }) => {
      text += choices[0]?.delta.content ?? "";
      const delta = choices[0]?.delta as { reasoning_content?: string } | undefined;
      thinking += delta?.reasoning_content ?? "";
    });
    const whole = await stream.finalChatCompletion();
    expect(text).toBe("Let me look — ünïcode too.");
    expect(thinking).toBe("Two files, then. 🤔");
    expect(whole.choices[0]!.message.tool_calls).toMatchObject(CALLS);
    expect(whole.choices[0]!.finish_reason).toBe("tool_calls");
    expect(whole.usage).toMatchObject(USAGE);
  });

  test("goes on with the results of both calls", async () => {
    await using f = fixture(() => said(MODEL, [{ type: "text", text: "Done." }]));
    const body = {
      ...ASK,
      messages: [
        ...ASK.messages,
        {
          role: "assistant" as const,
          tool_calls: CALLS.map((call) => ({ ...call, type: "function" as const })),
        },
        { role: "tool" as const, tool_call_id: "call_a", content: "A" },
        { role: "tool" as const, tool_call_id: "call_b", content: "B" },
      ],
    };
    const reply = await f.openai.chat.completions.create(body);
    expect(reply.choices[0]!.message.content).toBe("Done.");
    expect(f.http.requests[0]!.messages.slice(2)).toMatchObject([
      { role: "toolResult", toolCallId: "call_a", toolName: "read", content: [{ text: "A" }] },
      { role: "toolResult", toolCallId: "call_b", toolName: "read", content: [{ text: "B" }] },
    ]);
    // The judge of our own requests has nothing to say about the official client's either.
    expect(validateCompletionsRequest({ ...(f.http.bodies[0] as object), stream: false })).toEqual(
      [],
    );
  });

  test("throws its own typed errors for ours", async () => {
    await using limited = fixture(() =>
      modelFailure("rate_limit", "slow down", { retryAfterMs: 1500, requestId: "r1" }),
    );
    const limit = await limited.openai.chat.completions.create(ASK).catch((e: unknown) => e);
    expect(limit).toBeInstanceOf(RateLimitError);
    expect(limit).toMatchObject({ status: 429, requestID: "r1", type: "rate_limit_error" });
    expect((limit as RateLimitError).headers.get("retry-after-ms")).toBe("1500");
    expect((limit as RateLimitError).headers.get("retry-after")).toBe("2");
    await using locked = fixture(() => modelFailure("auth", "bad key"));
    const auth = await locked.openai.chat.completions
      .create({ ...ASK, stream: true })
      .catch((e: unknown) => e);
    expect(auth).toBeInstanceOf(AuthenticationError);
    expect((auth as Error).message).toContain("bad key");
  });

  test("throws in mid-stream where the reply breaks off", async () => {
    const broken = said(MODEL, [{ type: "text", text: "Half an ans" }], {
      stopReason: "error",
      error: modelFailure("overloaded", "try later"),
    });
    await using f = fixture(() => broken);
    const stream = await f.openai.chat.completions.create({ ...ASK, stream: true });
    let text = "";
    const reading = (async () => {
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
    })();
    const error = await reading.catch((e: unknown) => e);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ type: "server_error", message: "try later" });
    expect(text).toBe("Half an ans");
  });
});
