// The server half judged by OpenAI's own client, whose accumulator checks item ids,
// indexes and the order of events, and throws where one is off.

import { describe, expect, test } from "bun:test";
import OpenAI, { APIError, AuthenticationError, RateLimitError } from "openai";
import type { ResponseStreamEvent } from "openai/resources/responses/responses";
import { modelFailure } from "../../error.ts";
import type { AssistantMessage } from "../../message.ts";
import { said, testModel } from "../openai-testing.ts";
import { serveWire, type Script } from "../wire-test-support.ts";
import { server } from "./server.ts";

const MODEL = testModel("openai-responses");
const ENCRYPTED = { id: "rs_1", summary: [], encrypted_content: "gAAAA" };
const REPLY: AssistantMessage = said(
  MODEL,
  [
    {
      type: "thinking",
      text: "Two files, then. 🤔",
      opaque: { wire: MODEL.wire, model: "m", data: JSON.stringify(ENCRYPTED) },
    },
    { type: "text", text: "Let me look — ünïcode too." },
    { type: "toolCall", id: "call_a|fc_a", name: "read", arguments: { path: "/a", d: { n: 1 } } },
    { type: "toolCall", id: "call_b", name: "read", arguments: { path: "/b" } },
  ],
  { usage: { input: 10, output: 7, cacheRead: 90, cacheWrite: 5, reasoning: 3 } },
);
const TOOLS = [
  {
    type: "function" as const,
    name: "read",
    description: "Reads.",
    parameters: { type: "object" },
    strict: false,
  },
];
const ASK = { model: "m", instructions: "Be brief.", input: "Read both.", tools: TOOLS };
const USAGE = {
  input_tokens: 105,
  input_tokens_details: { cached_tokens: 90, cache_write_tokens: 5 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 112,
};
const OUTPUT = [
  {
    type: "reasoning",
    summary: [{ type: "summary_text", text: "Two files, then. 🤔" }],
    encrypted_content: "gAAAA",
  },
  { type: "message", content: [{ type: "output_text", text: "Let me look — ünïcode too." }] },
  { type: "function_call", id: "fc_a", call_id: "call_a", arguments: '{"path":"/a","d":{"n":1}}' },
  { type: "function_call", call_id: "call_b", arguments: '{"path":"/b"}' },
];

function fixture(script: Script) {
  const http = serveWire(server, script);
  const openai = new OpenAI({ apiKey: "k", baseURL: `${http.url}/v1`, maxRetries: 0 });
  return { http, openai, [Symbol.asyncDispose]: () => http[Symbol.asyncDispose]() };
}

describe("the official client", () => {
  test("reads a whole reply", async () => {
    await using f = fixture(() => REPLY);
    const reply = await f.openai.responses.create(ASK);
    expect(reply).toMatchObject({ status: "completed", model: "m", usage: USAGE });
    expect(reply.output).toMatchObject(OUTPUT as never);
    expect(reply.output_text).toBe("Let me look — ünïcode too.");
    expect(f.http.requests[0]).toMatchObject({
      modelId: "m",
      system: ["Be brief."],
      messages: [{ role: "user", content: [{ type: "text", text: "Read both." }] }],
      tools: [{ name: "read", description: "Reads." }],
      stream: false,
    });
  });

  test("streams a reply and assembles the same response", async () => {
    await using f = fixture(() => REPLY);
    const whole = await f.openai.responses.create(ASK);
    const stream = f.openai.responses.stream(ASK);
    const events: ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event as ResponseStreamEvent);
    const final = await stream.finalResponse();
    expect(final.output).toMatchObject(OUTPUT as never);
    expect(final.output_text).toBe(whole.output_text);
    expect(final.usage).toMatchObject(USAGE);
    expect(final.output.map(({ id }) => id)).toEqual(whole.output.map(({ id }) => id));
    const numbers = events.map(({ sequence_number }) => sequence_number);
    expect(numbers).toEqual(numbers.map((_, at) => at));
    expect(events[0]).toMatchObject({ type: "response.created", response: { output: [] } });
    expect(events.at(-1)).toMatchObject({ type: "response.completed" });
  });

  test("sends our output back as its next input, and we read our own ids again", async () => {
    await using f = fixture(() => REPLY);
    const first = await f.openai.responses.create(ASK);
    await f.openai.responses.create({
      ...ASK,
      input: [
        { role: "user", content: "Read both." },
        ...(first.output as never[]),
        { type: "function_call_output", call_id: "call_b", output: "B" },
        { type: "function_call_output", call_id: "call_a", output: "A" },
      ],
    });
    expect(f.http.requests[1]!.messages).toMatchObject([
      { role: "user" },
      {
        role: "assistant",
        stopReason: "toolUse",
        content: [
          { type: "thinking", opaque: { data: expect.stringContaining("gAAAA") } },
          { type: "text" },
          { type: "toolCall", id: "call_a|fc_a" },
          { type: "toolCall", id: "call_b" },
        ],
      },
      { role: "toolResult", toolCallId: "call_b", content: [{ text: "B" }] },
      { role: "toolResult", toolCallId: "call_a|fc_a", content: [{ text: "A" }] },
    ]);
  });

  test("sees a reply that ran into its limit as incomplete, the half call too", async () => {
    const cut = said(
      MODEL,
      [
        { type: "text", text: "So" },
        { type: "toolCall", id: "call_a", name: "read", arguments: {}, malformed: '{"pa' },
      ],
      { stopReason: "length" },
    );
    await using f = fixture(() => cut);
    const expected = {
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ type: "message" }, { status: "incomplete", arguments: '{"pa' }],
    };
    expect(await f.openai.responses.create(ASK)).toMatchObject(expected as never);
    const stream = f.openai.responses.stream(ASK);
    expect(await stream.finalResponse()).toMatchObject(expected as never);
  });

  test("throws its own typed errors for ours", async () => {
    await using limited = fixture(() =>
      modelFailure("rate_limit", "slow down", { retryAfterMs: 1500, requestId: "r1" }),
    );
    const limit = await limited.openai.responses.create(ASK).catch((e: unknown) => e);
    expect(limit).toBeInstanceOf(RateLimitError);
    expect(limit).toMatchObject({ status: 429, requestID: "r1", type: "rate_limit_error" });
    expect((limit as RateLimitError).headers.get("retry-after-ms")).toBe("1500");
    await using locked = fixture(() => modelFailure("auth", "bad key"));
    const auth = await locked.openai.responses
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
    const stream = await f.openai.responses.create({ ...ASK, stream: true });
    let text = "";
    const reading = (async () => {
      for await (const event of stream) {
        if (event.type === "response.output_text.delta") text += event.delta;
      }
    })();
    const error = await reading.catch((e: unknown) => e);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ code: "server_error", message: "try later" });
    expect(text).toBe("Half an ans");
  });

  test("is told what a server without a memory cannot do", async () => {
    await using f = fixture(() => REPLY);
    const error = await f.openai.responses
      .create({ ...ASK, previous_response_id: "resp_1" })
      .catch((e: unknown) => e);
    expect(error).toMatchObject({ status: 400, type: "invalid_request_error" });
  });
});
