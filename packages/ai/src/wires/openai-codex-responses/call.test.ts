// What goes to the backend over the network, and what its limits become.

import { describe, expect, test } from "bun:test";
import { callModel, type CallOptions } from "../../call.ts";
import { modelFailure, type ModelFailure } from "../../error.ts";
import { textOf, type AssistantMessage } from "../../message.ts";
import type { ModelRequest } from "../../request.ts";
import { encodeSse } from "../../sse.ts";
import { said, testModel, testRequest } from "../openai-testing.ts";
import { decodePieces, messageOf, serveWire } from "../wire-test-support.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";
import { usageLimitOf } from "./usage-limit.ts";

const MODEL = testModel("openai-codex-responses");
const REPLY = said(MODEL, [{ type: "text", text: "Hello." }]);
const CREDENTIAL = {
  origin: "stored login" as const,
  token: "t",
  label: "me",
  headers: { "chatgpt-account-id": "acc-1" },
};

async function sent(
  over: Partial<ModelRequest> = {},
  answer: AssistantMessage | ModelFailure = REPLY,
  basePath = "/backend-api",
) {
  await using http = serveWire(server, () => answer);
  const seen: { url: URL; headers: Headers }[] = [];
  const send: CallOptions["fetch"] = (url, init) => {
    seen.push({ url: new URL(url), headers: new Headers(init.headers) });
    return fetch(url, init);
  };
  const model = { ...(over.model ?? MODEL), baseUrl: http.url + basePath };
  const reply = await callModel(testRequest(MODEL, { ...over, model }), {
    fetch: send,
    credential: async () => CREDENTIAL,
  }).result();
  return { reply, ...seen[0]!, body: http.bodies[0] as Record<string, unknown> };
}

test("a request carries the account, the program and the session", async () => {
  const { reply, url, headers, body } = await sent({ cacheKey: "s-1", system: ["Be brief."] });
  expect(textOf(reply)).toBe("Hello.");
  expect(url.pathname).toBe("/backend-api/codex/responses");
  expect(Object.fromEntries(headers)).toMatchObject({
    authorization: "Bearer t",
    "chatgpt-account-id": "acc-1",
    "openai-beta": "responses=experimental",
    originator: "tau",
    session_id: "s-1",
  });
  expect(body).toMatchObject({ instructions: "Be brief.", prompt_cache_key: "s-1" });
  expect(body).not.toHaveProperty("text");
});

test("a whole reply is asked for as a stream", async () => {
  const { reply, body } = await sent({ stream: false });
  expect(body.stream).toBe(true);
  expect(textOf(reply)).toBe("Hello.");
});

test("base URLs are taken with and without their last part", async () => {
  const { url } = await sent({}, REPLY, "/backend-api/codex");
  expect(url.pathname).toBe("/backend-api/codex/responses");
});

test("verbosity and originator are quirks", async () => {
  const model = { ...MODEL, quirks: { textVerbosity: "low", originator: "other" } };
  const { headers, body } = await sent({ model });
  expect(body.text).toEqual({ verbosity: "low" });
  expect(headers.get("originator")).toBe("other");
});

describe("a used-up plan", () => {
  const limit = { type: "usage_limit_reached", message: "The usage limit has been reached" };

  test("says how long to wait", () => {
    const failure = { kind: "rate_limit", code: "usage_limit_reached", retryable: true };
    expect(usageLimitOf({ ...limit, resets_in_seconds: 90 })).toMatchObject({
      ...failure,
      retryAfterMs: 90_000,
    });
    const resets_at = 1_800_000_000;
    expect(usageLimitOf({ ...limit, resets_at }, resets_at * 1000 - 5000)).toMatchObject({
      retryAfterMs: 5000,
    });
    expect(usageLimitOf({ ...limit, resets_at }, resets_at * 1000 + 1)).toMatchObject({
      retryAfterMs: 0,
    });
    expect(usageLimitOf(limit)).not.toHaveProperty("retryAfterMs");
    expect(usageLimitOf({ type: "server_error" })).toBeUndefined();
  });

  test("is a 429 over HTTP", async () => {
    const told = modelFailure("rate_limit", "Used up.", { retryAfterMs: 3_600_000 });
    const { reply } = await sent({}, told);
    expect(reply.error).toMatchObject({
      kind: "rate_limit",
      code: "usage_limit_reached",
      message: "Used up.",
      status: 429,
      retryAfterMs: 3_600_000,
    });
  });

  test("may come in the middle of a stream", () => {
    const error = { ...limit, resets_in_seconds: 7 };
    const events = [
      { type: "error", error },
      { type: "error", code: "usage_limit_reached", message: "x", resets_in_seconds: 7 },
      { type: "response.failed", response: { status: "failed", error } },
    ];
    for (const event of events) {
      const bytes = new TextEncoder().encode(encodeSse(JSON.stringify(event)));
      const origin = { provider: "p", model: "m", wire: MODEL.wire };
      expect(messageOf(decodePieces(client, [bytes], origin)).error).toMatchObject({
        kind: "rate_limit",
        retryAfterMs: 7000,
      });
    }
  });

  test("is not read into a text that mentions it", () => {
    const delta = { type: "response.output_text.delta", output_index: 0, delta: limit.type };
    const item = { type: "message", id: "msg_1" };
    const added = { type: "response.output_item.added", output_index: 0, item };
    const done = { type: "response.completed", response: { status: "completed" } };
    const text = [added, delta, done].map((event) => encodeSse(JSON.stringify(event))).join("");
    const origin = { provider: "p", model: "m", wire: MODEL.wire };
    const reply = messageOf(decodePieces(client, [new TextEncoder().encode(text)], origin));
    expect(reply).toMatchObject({ stopReason: "stop", content: [{ text: limit.type }] });
  });

  test("other errors are OpenAI's", () => {
    const body = JSON.stringify({ error: { code: "invalid_api_key", message: "no" } });
    expect(client.decodeError(401, new Headers(), body)).toMatchObject({ kind: "auth" });
    expect(client.decodeError(502, new Headers(), "<html>")).toMatchObject({
      kind: "overloaded",
    });
  });
});
