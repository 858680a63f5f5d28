// How calls of the service fail: by its own words, by a status, by the network, and by silence.

import { describe, expect, test } from "bun:test";
import { CursorAgentServer } from "@tau/testkit/cursor-agent-server";
import { callModel } from "../../call.ts";
import { modelFailure, type ModelErrorKind } from "../../error.ts";
import { textOf, userText, type AssistantMessage } from "../../message.ts";
import { testModel, testRequest } from "../openai-testing.ts";
import { ask } from "./agent-testing.ts";
import { END_OF_STREAM, envelope } from "./envelope.ts";
import { decodeError, encodeError, failureAtEnd } from "./errors.ts";

describe("failures", () => {
  const FAILURES: [string, unknown, Partial<AssistantMessage["error"]>][] = [
    ["unauthenticated", { code: "unauthenticated", message: "who?" }, { kind: "auth" }],
    [
      "resource_exhausted",
      { code: "resource_exhausted", message: "Error" },
      { kind: "rate_limit", retryable: true },
    ],
    ["unavailable", { code: "unavailable", message: "later" }, { kind: "overloaded" }],
    [
      "not_found",
      { code: "not_found", message: "no model" },
      { kind: "not_found", retryable: false },
    ],
    ["unimplemented", { code: "unimplemented", message: "gone" }, { kind: "overloaded" }],
    [
      "its own word and sentence",
      {
        code: "resource_exhausted",
        message: "Error",
        details: [
          {
            debug: {
              error: "ERROR_PRO_USER_USAGE_LIMIT",
              details: { title: "T", detail: "Upgrade." },
            },
          },
        ],
      },
      { kind: "credit", message: "Upgrade.", code: "ERROR_PRO_USER_USAGE_LIMIT" },
    ],
    [
      "too long",
      {
        code: "invalid_argument",
        message: "Error",
        details: [{ debug: { error: "ERROR_CONVERSATION_TOO_LONG" } }],
      },
      { kind: "context_overflow" },
    ],
  ];
  test.each(FAILURES)("%s", async (_name, error, expected) => {
    await using server = await CursorAgentServer.start((run) => run.fail(error));
    expect((await ask(server, [userText("Go.", 0)])).error).toMatchObject(expected as object);
  });

  const kinds: ModelErrorKind[] = [
    "auth",
    "rate_limit",
    "credit",
    "overloaded",
    "context_overflow",
    "invalid_request",
    "not_found",
    "timeout",
  ];
  test.each(kinds)("%s is told and understood, in the stream and as a status", (kind) => {
    const failure = modelFailure(kind, "why", { retryAfterMs: 2000 });
    const { status, headers, body } = encodeError(failure);
    const text = JSON.stringify(body);
    expect(decodeError(status, new Headers(headers), text)).toMatchObject({
      kind,
      message: "why",
      status,
    });
    expect(headers).toEqual({ "retry-after": "2" });
    const metadata = { "retry-after": ["2"] };
    expect(failureAtEnd(JSON.stringify({ error: body, metadata }))).toMatchObject({
      kind,
      message: "why",
      retryAfterMs: 2000,
    });
  });

  test("a refusal with a status, before anything", async () => {
    await using server = await CursorAgentServer.start((run) => run.finish(), {
      refuse: () => ({
        status: 401,
        headers: { "content-type": "application/json", "x-request-id": "r-1" },
        body: '{"code":"unauthenticated","message":"token expired"}',
      }),
    });
    expect((await ask(server, [userText("Go.", 0)])).error).toMatchObject({
      kind: "auth",
      status: 401,
      message: "token expired",
      requestId: "r-1",
    });
  });

  test("nobody there", async () => {
    const server = await CursorAgentServer.start((run) => run.finish());
    const { origin } = server;
    await server[Symbol.asyncDispose]();
    const model = testModel("cursor-agent", { baseUrl: origin });
    const reply = await callModel(testRequest(model), { credential: "t" }).result();
    expect(reply.error).toMatchObject({ kind: "network", retryable: true });
  });

  test("a server that speaks HTTP/1 only", async () => {
    await using http = {
      server: Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hi") }),
      [Symbol.asyncDispose]: () => http.server.stop(true),
    };
    const model = testModel("cursor-agent", { baseUrl: `http://127.0.0.1:${http.server.port}` });
    const reply = await callModel(testRequest(model), { credential: "t" }).result();
    expect(reply.error).toMatchObject({ kind: "network" });
  });

  test("a cut connection, in the middle", async () => {
    await using server = await CursorAgentServer.start(async (run) => {
      run.text("half");
      await Bun.sleep(30);
      run.cut();
    });
    const reply = await ask(server, [userText("Go.", 0)]);
    expect(reply.error).toMatchObject({ kind: "network" });
    expect(textOf(reply)).toBe("half");
  });

  test("bytes that make no sense", async () => {
    for (const bytes of [envelope(Uint8Array.of(0xff)), Uint8Array.of(0, 0xff, 0xff, 0xff, 0xff)]) {
      await using server = await CursorAgentServer.start((run) => run.send(bytes));
      expect((await ask(server, [userText("Go.", 0)])).error).toMatchObject({ kind: "protocol" });
    }
  });

  test("the end of the call without the end of the turn is no whole reply", async () => {
    await using server = await CursorAgentServer.start((run) => {
      run.text("half");
      run.send(envelope(new TextEncoder().encode("{}"), END_OF_STREAM));
    });
    expect((await ask(server, [userText("Go.", 0)])).error).toMatchObject({ kind: "protocol" });
  });

  test("silence is a timeout; heartbeats are signs of life, for a while", async () => {
    await using server = await CursorAgentServer.start(async (run) => {
      for (let n = 0; n < 40; n++) {
        run.say({ update: { heartbeat: {} } });
        await Bun.sleep(20);
      }
      run.text("late");
      run.finish();
    });
    const patient = await ask(server, [userText("Go.", 0)], { idleTimeoutMs: 300 });
    expect(textOf(patient)).toBe("late");
    const impatient = await ask(server, [userText("Go.", 0)], {
      idleTimeoutMs: 300,
      keepAliveMs: 200,
    });
    expect(impatient.error).toMatchObject({ kind: "timeout" });
    await using silent = await CursorAgentServer.start(() => undefined);
    const never = await ask(silent, [userText("Go.", 0)], { idleTimeoutMs: 100 });
    expect(never.error).toMatchObject({ kind: "timeout", retryable: true });
    await silent.runs[0]!.gone;
  });

  test("an abort is over within 100 ms, and the service knows", async () => {
    await using server = await CursorAgentServer.start((run) => run.text("on and on"));
    const abort = new AbortController();
    const asking = ask(server, [userText("Go.", 0)], { signal: abort.signal });
    while (server.runs.length === 0) await Bun.sleep(5);
    await Bun.sleep(20);
    const started = performance.now();
    abort.abort();
    expect((await asking).stopReason).toBe("aborted");
    expect(performance.now() - started).toBeLessThan(100);
    await server.runs[0]!.gone;
  });
});
