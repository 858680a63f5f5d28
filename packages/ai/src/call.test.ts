// One call against real sockets: what a host answers, well or ill, is the reply or the
// reason why there is none.

import { describe, expect, test } from "bun:test";
import { callModel, type CallOptions } from "./call.ts";
import {
  call,
  closed,
  DONE,
  failureOf,
  HELLO,
  host,
  openBody,
  outcome,
  SSE_HEADERS,
  STOP,
  streamed,
} from "./scripted-host.ts";
import { encodeSse } from "./sse.ts";
import { testModel, testRequest } from "./wires/openai-testing.ts";

/** So that the end of a body comes in a packet of its own. */
const LATER_MS = 5;

describe("a host that answers", () => {
  test("streams the reply", async () => {
    await using server = host(streamed(HELLO + STOP + DONE));
    const { events, message } = await outcome(call(server.baseUrl, { credential: "k" }));
    expect(events.map(({ type }) => type)).toEqual([
      "start",
      "text_start",
      "text_delta",
      "text_end",
      "done",
    ]);
    expect(message).toMatchObject({ stopReason: "stop", responseId: "c1" });
    const { request, body } = server.requests[0]!;
    expect(new URL(request.url).pathname).toBe("/v1/chat/completions");
    expect(request.headers.get("authorization")).toBe("Bearer k");
    expect(body).toMatchObject({ model: "m", stream: true });
  });

  test("gets the credential the way its row says, and a base URL with slashes behind it", async () => {
    await using server = host(streamed(STOP + DONE));
    const url = `${server.baseUrl}//`;
    await call(url, { credential: "k" }, { auth: "x-api-key" }).result();
    await call(url, { credential: "k" }, { auth: "none", headers: { "x-team": "t" } }).result();
    const [first, second] = server.requests.map(({ request }) => request);
    expect(new URL(first!.url).pathname).toBe("/v1/chat/completions");
    expect(first!.headers.get("x-api-key")).toBe("k");
    expect(first!.headers.get("authorization")).toBeNull();
    expect(second!.headers.get("authorization")).toBeNull();
    expect(second!.headers.get("x-team")).toBe("t");
  });

  test("may answer a streaming request with one whole reply", async () => {
    const message = { role: "assistant", content: "whole" };
    await using server = host(() =>
      Response.json({ id: "c2", choices: [{ index: 0, message, finish_reason: "stop" }] }),
    );
    const reply = await call(server.baseUrl).result();
    expect(reply).toMatchObject({ stopReason: "stop", content: [{ text: "whole" }] });
  });

  test("keeps its connection for the next call, if its body ends soon behind the reply", async () => {
    await using server = host(() => {
      const body = new ReadableStream({
        start: async (controller) => {
          controller.enqueue(new TextEncoder().encode(HELLO + STOP + DONE));
          await Bun.sleep(LATER_MS);
          controller.close();
        },
      });
      return new Response(body, { headers: SSE_HEADERS });
    });
    for (let at = 0; at < 3; at++) {
      // The end of the body is read in the background, behind the result; the call is
      // over when it gives up its signal.
      const over = Promise.withResolvers<void>();
      const send: CallOptions["fetch"] = (url, init) => {
        init.signal!.addEventListener("abort", () => over.resolve());
        return fetch(url, init);
      };
      await call(server.baseUrl, { fetch: send }).result();
      await over.promise;
    }
    expect(new Set(server.requests.map(({ clientPort }) => clientPort)).size).toBe(1);
  });

  test("need not close the socket: the reply ends with its last frame", async () => {
    let gone: Promise<void> | undefined;
    await using server = host((request) => {
      gone = closed(request);
      return openBody(HELLO + STOP + DONE);
    });
    const message = await call(server.baseUrl).result();
    expect(message.stopReason).toBe("stop");
    await gone; // And the socket is not left open either.
  });

  test("without a terminal frame has broken off", async () => {
    await using server = host(streamed(HELLO));
    const message = await failureOf(server.baseUrl);
    expect(message).toMatchObject({
      stopReason: "error",
      content: [{ text: "Hello" }],
      error: { kind: "protocol", retryable: true, provider: "test" },
    });
    await using empty = host(streamed(""));
    expect((await failureOf(empty.baseUrl)).error).toMatchObject({ kind: "protocol" });
  });
});

describe("a host that refuses", () => {
  test("with 429 says when to come back", async () => {
    await using server = host(() =>
      Response.json(
        { error: { message: "slow down", type: "tokens", code: "rate_limit_exceeded" } },
        { status: 429, headers: { "retry-after": "7", "x-request-id": "r1" } },
      ),
    );
    expect((await failureOf(server.baseUrl)).error).toEqual({
      kind: "rate_limit",
      message: "slow down",
      retryable: true,
      retryAfterMs: 7000,
      status: 429,
      code: "rate_limit_exceeded",
      provider: "test",
      model: "m",
      requestId: "r1",
    });
  });

  test("with a page instead of an API is not worth a retry", async () => {
    const page = "<html><body>Welcome</body></html>";
    const headers = { "content-type": "text/html" };
    await using server = host(() => new Response(page, { headers }));
    const { error } = await failureOf(server.baseUrl);
    expect(error).toMatchObject({ kind: "protocol", retryable: false, status: 200 });
    await using broken = host(() => new Response(page, { status: 502, headers }));
    const other = await failureOf(broken.baseUrl);
    expect(other.error).toMatchObject({ kind: "overloaded", message: "HTTP 502" });
  });

  test("inside a stream that began well", async () => {
    const error = { error: { message: "too many", type: "overloaded_error" } };
    await using server = host(streamed(HELLO + encodeSse(JSON.stringify(error)) + STOP + DONE));
    expect(await failureOf(server.baseUrl)).toMatchObject({
      content: [{ text: "Hello" }],
      error: { kind: "overloaded", message: "too many", retryable: true },
    });
  });

  test("with frames or a body that cannot be read", async () => {
    await using frames = host(streamed(`${HELLO}data: {"choices": [\n\n${STOP}${DONE}`));
    const message = await failureOf(frames.baseUrl);
    expect(message).toMatchObject({ content: [{ text: "Hello" }], error: { kind: "protocol" } });
    await using nulls = host(streamed(`data: null\n\n`));
    expect((await failureOf(nulls.baseUrl)).error).toMatchObject({ kind: "protocol" });
    const headers = { "content-type": "application/json" };
    await using body = host(() => new Response("{oops", { headers }));
    expect((await failureOf(body.baseUrl)).error).toMatchObject({ kind: "protocol" });
  });

  test("by sending elsewhere: the credential does not follow", async () => {
    await using elsewhere = host(streamed(STOP + DONE));
    await using server = host(() => Response.redirect(`${elsewhere.baseUrl}/x`, 307));
    const { error } = await failureOf(server.baseUrl, { credential: "secret" });
    expect(error).toMatchObject({ kind: "protocol", retryable: false });
    expect(elsewhere.requests).toEqual([]);
  });
});

test("a model of this process has no endpoint: our mistake, not the network's", async () => {
  const message = await callModel(testRequest(testModel("in-process"))).result();
  expect(message.error).toMatchObject({ kind: "protocol", retryable: false });
});
