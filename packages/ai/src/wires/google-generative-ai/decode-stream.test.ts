// Streams as the vendor sends them, including what ours never would.

import { describe, expect, test } from "bun:test";
import type { AssistantMessage } from "../../message.ts";
import { decodePieces, decodeWhole, messageOf } from "../wire-test-support.ts";
import { client } from "./client.ts";

const ORIGIN = { provider: "google", model: "gemini-1", wire: "google-generative-ai" as const };

function read(...chunks: unknown[]): AssistantMessage {
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join("");
  return messageOf(decodePieces(client, [new TextEncoder().encode(text)], ORIGIN));
}

const chunk = (parts: unknown[], candidate: object = {}, rest: object = {}) => ({
  candidates: [{ content: { parts, role: "model" }, index: 0, ...candidate }],
  responseId: "resp-1",
  ...rest,
});
const STOP = chunk([], { finishReason: "STOP" });
const signed = (data: string) => ({ wire: ORIGIN.wire, model: ORIGIN.model, data });

describe("parts", () => {
  test("a signature belongs to the part it ends", () => {
    const message = read(
      chunk([{ text: "think", thought: true }]),
      chunk([{ text: "ing", thought: true, thoughtSignature: "A" }]),
      chunk([{ text: "more", thought: true }]),
      chunk([{ text: "Hel" }]),
      chunk([{ text: "lo" }, { text: "", thoughtSignature: "B" }]),
      chunk([{ text: "!" }]),
      chunk([{ functionCall: { name: "read", args: { a: 1 } }, thoughtSignature: "C" }]),
      chunk([{ text: "", thoughtSignature: "D" }]),
      STOP,
    );
    expect(message.content).toMatchObject([
      { type: "thinking", text: "thinking", opaque: signed("A") },
      { type: "thinking", text: "more" },
      { type: "text", text: "Hello", opaque: signed("B") },
      { type: "text", text: "!" },
      { type: "toolCall", name: "read", arguments: { a: 1 }, opaque: signed("C") },
      { type: "text", text: "", opaque: signed("D") },
    ]);
    expect(message).toMatchObject({ stopReason: "toolUse", responseId: "resp-1" });
  });

  test("calls without an id get one each", () => {
    const call = { functionCall: { name: "now" } };
    const message = read(chunk([call, call]), STOP);
    const ids = message.content.map((block) => (block.type === "toolCall" ? block.id : ""));
    expect(new Set(ids).size).toBe(2);
    expect(message.content).toMatchObject([{ arguments: {} }, { arguments: {} }]);
  });

  test("what the vendor ran or drew itself passes by", () => {
    const message = read(
      chunk([{ executableCode: { code: "1" } }, { codeExecutionResult: { output: "1" } }]),
      chunk([{ inlineData: { mimeType: "image/png", data: "AA==" } }, { text: "One." }]),
      STOP,
    );
    expect(message.content).toEqual([{ type: "text", text: "One." }]);
  });

  test("usage is the latest, in our vocabulary", () => {
    const usage = (candidates: number) => ({
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 40,
        toolUsePromptTokenCount: 3,
        candidatesTokenCount: candidates,
        thoughtsTokenCount: 5,
      },
    });
    const message = read(
      chunk([{ text: "a" }], {}, usage(1)),
      chunk([], { finishReason: "STOP" }, usage(7)),
    );
    expect(message.usage).toEqual({
      input: 63,
      output: 12,
      cacheRead: 40,
      cacheWrite: 0,
      reasoning: 5,
    });
  });
});

describe("endings", () => {
  test.each([
    ["SAFETY", "content_filter", false],
    ["RECITATION", "content_filter", false],
    ["BLOCKLIST", "content_filter", false],
    ["PROHIBITED_CONTENT", "content_filter", false],
    ["SPII", "content_filter", false],
    ["IMAGE_SAFETY", "content_filter", false],
    ["MALFORMED_FUNCTION_CALL", "protocol", true],
    ["OTHER", "protocol", true],
  ] as const)("%s fails as %s", (finishReason, kind, retryable) => {
    const message = read(chunk([{ text: "partly" }]), chunk([], { finishReason }));
    expect(message).toMatchObject({ stopReason: "error", content: [{ text: "partly" }] });
    expect(message.error).toMatchObject({ kind, retryable, code: finishReason });
  });

  test("a reason that nobody knows is a stop, if anything was said", () => {
    const functionCall = { name: "list", args: { path: "a" } };
    const called = read(chunk([{ functionCall }], { finishReason: "FUNCTION_CALL" }));
    expect(called).toMatchObject({
      stopReason: "toolUse",
      content: [{ type: "toolCall", name: "list", arguments: { path: "a" } }],
    });
    expect(called.error).toBeUndefined();
    const said = read(chunk([{ text: "partly" }], { finishReason: "SOMETHING_NEW" }));
    expect(said.stopReason).toBe("stop");
    expect(read(chunk([], { finishReason: "SOMETHING_NEW" })).error).toMatchObject({
      kind: "protocol",
      code: "SOMETHING_NEW",
    });
  });

  test("marks and frames of other wires do no harm", () => {
    const text = `data: ${JSON.stringify(chunk([{ text: "a" }], { finishReason: "STOP" }))}\n\n`;
    const bytes = new TextEncoder().encode(`data: null\n\n${text}data: [DONE]\n\n`);
    expect(messageOf(decodePieces(client, [bytes], ORIGIN)).stopReason).toBe("stop");
  });

  test("limits cut the reply off", () => {
    expect(read(chunk([{ text: "a" }], { finishReason: "MAX_TOKENS" })).stopReason).toBe("length");
    expect(read(chunk([{ text: "a" }], { finishReason: "CONTINUATION" })).stopReason).toBe(
      "length",
    );
  });

  test("a refused prompt is filtered", () => {
    const message = read({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } });
    expect(message.error).toMatchObject({ kind: "content_filter", code: "PROHIBITED_CONTENT" });
  });

  test("without a reason it is a failure, calls or not", () => {
    expect(read(chunk([{ text: "hi" }])).error?.kind).toBe("protocol");
    expect(read(chunk([{ functionCall: { name: "rm", args: {} } }])).stopReason).toBe("error");
    expect(read().stopReason).toBe("error");
    expect(messageOf(decodeWhole(client, {}, ORIGIN)).stopReason).toBe("error");
  });

  test("an array of chunks reads like their stream", () => {
    const body = [chunk([{ text: "a" }]), chunk([{ text: "b" }], { finishReason: "STOP" })];
    expect(messageOf(decodeWhole(client, body, ORIGIN)).content).toEqual([
      { type: "text", text: "ab" },
    ]);
  });

  test("errors of a body are told apart", () => {
    const failure = (code: number, status: string, message: string, wrap = (x: unknown) => x) =>
      client.decodeError(
        code,
        new Headers(),
        JSON.stringify(wrap({ error: { code, message, status } })),
      );
    const long =
      "The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).";
    expect(failure(400, "INVALID_ARGUMENT", long).kind).toBe("context_overflow");
    expect(failure(400, "INVALID_ARGUMENT", "bad", (x) => [x])).toMatchObject({
      kind: "invalid_request",
      message: "bad",
    });
    expect(failure(403, "PERMISSION_DENIED", "no").kind).toBe("auth");
    expect(failure(503, "UNAVAILABLE", "busy").kind).toBe("overloaded");
    expect(failure(504, "DEADLINE_EXCEEDED", "slow").kind).toBe("timeout");
    const reason = "API_KEY_INVALID";
    const info = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason }];
    const key = { error: { code: 400, status: "INVALID_ARGUMENT", message: "bad", details: info } };
    expect(client.decodeError(400, new Headers(), JSON.stringify(key)).kind).toBe("auth");
    expect(client.decodeError(502, new Headers(), "<html>").kind).toBe("overloaded");
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "37.25s" }];
    const body = JSON.stringify([
      { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "q", details } },
    ]);
    expect(client.decodeError(429, new Headers(), body)).toMatchObject({
      kind: "rate_limit",
      retryAfterMs: 37_250,
    });
  });
});
