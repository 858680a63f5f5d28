// Calls that do not come to their end: cut off by the host or the network, given up after
// a silence, aborted by the caller. What had arrived is kept and nothing half runs.

import { describe, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import {
  CALL,
  call,
  chunk,
  closed,
  DONE,
  failureOf,
  HELLO,
  host,
  NEVER_MS,
  openBody,
  outcome,
  SOON_MS,
  SSE_HEADERS,
  STOP,
  streamed,
} from "./scripted-host.ts";

describe("a reply that is cut off", () => {
  test("because nobody listens at the address", async () => {
    const server = host(streamed(""));
    await server[Symbol.asyncDispose]();
    expect((await failureOf(server.baseUrl)).error).toMatchObject({
      kind: "network",
      retryable: true,
      code: expect.any(String),
      message: expect.stringMatching(/^Cannot reach \S+ \w+: [^.?]+$/),
    });
  });

  test("in the middle of a tool call, with the connection: the call can never run", async () => {
    const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
    const connected = Promise.withResolvers<Socket>();
    const server = createServer((socket) => {
      socket.once("data", () => {
        const length = CALL.length.toString(16);
        socket.write(`${head}transfer-encoding: chunked\r\n\r\n${length}\r\n${CALL}\r\n`);
        connected.resolve(socket);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const stream = call(`http://127.0.0.1:${port}`);
    for await (const event of stream) {
      if (event.type === "toolcall_delta") (await connected.promise).destroy();
    }
    server.close();
    expect(await stream.result()).toMatchObject({
      stopReason: "error",
      content: [{ type: "toolCall", arguments: {}, malformed: '{"path":"/et' }],
      error: {
        kind: "network",
        retryable: true,
        message: expect.stringMatching(/^Cannot reach \S+ [^`]+$/),
      },
    });
  });

  test("after half a call, with a proper end of the body", async () => {
    await using server = host(streamed(CALL));
    expect(await failureOf(server.baseUrl)).toMatchObject({
      content: [{ type: "toolCall", arguments: {}, malformed: '{"path":"/et' }],
      error: { kind: "protocol" },
    });
  });

  test("by the output limit in the middle of a call", async () => {
    await using server = host(streamed(CALL + chunk({}, "length") + DONE));
    const { message } = await outcome(call(server.baseUrl));
    expect(message).toMatchObject({
      stopReason: "length",
      content: [{ arguments: {}, malformed: '{"path":"/et' }],
    });
  });
});

describe("a host that is silent", () => {
  test("before its first byte", async () => {
    await using server = host(() => openBody(""));
    const limits = { firstEventTimeoutMs: SOON_MS };
    expect((await failureOf(server.baseUrl, limits)).error).toMatchObject({
      kind: "timeout",
      retryable: true,
    });
    await using mute = host(async (request) => {
      await closed(request);
      return new Response();
    });
    expect((await failureOf(mute.baseUrl, limits)).error).toMatchObject({ kind: "timeout" });
  });

  test("after it began: what it said is kept, the socket is closed", async () => {
    let gone: Promise<void> | undefined;
    await using server = host((request) => {
      gone = closed(request);
      return openBody(HELLO);
    });
    const message = await failureOf(server.baseUrl, { idleTimeoutMs: SOON_MS });
    expect(message).toMatchObject({ content: [{ text: "Hello" }], error: { kind: "timeout" } });
    await gone;
  });

  test("but for comments, which stand in for it only so long", async () => {
    await using server = host(
      () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              controller.enqueue(new TextEncoder().encode(": still here\n\n"));
              await Bun.sleep(5);
            },
          }),
          { headers: SSE_HEADERS },
        ),
    );
    const limits = { keepAliveMs: 4 * SOON_MS, idleTimeoutMs: NEVER_MS };
    expect((await failureOf(server.baseUrl, limits)).error).toMatchObject({ kind: "timeout" });
  });

  test("but is known for it has the time that its row gives", async () => {
    await using server = host(
      () =>
        new Response(
          new ReadableStream({
            start: async (controller) => {
              controller.enqueue(new TextEncoder().encode(HELLO));
              await Bun.sleep(4 * SOON_MS);
              controller.enqueue(new TextEncoder().encode(STOP + DONE));
              controller.close();
            },
          }),
          { headers: SSE_HEADERS },
        ),
    );
    const quirks = { streamIdleTimeoutMs: NEVER_MS };
    const message = await call(server.baseUrl, { idleTimeoutMs: SOON_MS }, { quirks }).result();
    expect(message.stopReason).toBe("stop");
  });
});

describe("a caller who aborts", () => {
  test("before the call: nothing is sent", async () => {
    await using server = host(streamed(STOP + DONE));
    const { events, message } = await outcome(
      call(server.baseUrl, { signal: AbortSignal.abort() }),
    );
    expect(events.at(-1)).toMatchObject({ type: "error", reason: "aborted" });
    expect(message).toMatchObject({ stopReason: "aborted", content: [] });
    expect(server.requests).toEqual([]);
  });

  test("while the host thinks: the socket is closed", async () => {
    const caller = new AbortController();
    let gone: Promise<void> | undefined;
    await using server = host(async (request) => {
      gone = closed(request);
      caller.abort();
      await gone;
      return new Response();
    });
    const { message } = await outcome(call(server.baseUrl, { signal: caller.signal }));
    expect(message.error).toMatchObject({ kind: "aborted", retryable: false });
    await gone;
  });

  test("in mid-reply: the part is kept, the socket is closed", async () => {
    const caller = new AbortController();
    let gone: Promise<void> | undefined;
    await using server = host((request) => {
      gone = closed(request);
      return openBody(HELLO + CALL);
    });
    const stream = call(server.baseUrl, { signal: caller.signal });
    for await (const event of stream) if (event.type === "toolcall_delta") caller.abort();
    const message = await stream.result();
    expect(message).toMatchObject({
      stopReason: "aborted",
      content: [{ text: "Hello" }, { type: "toolCall", malformed: '{"path":"/et' }],
      error: { kind: "aborted" },
    });
    await gone;
  });

  test("after the end changes nothing", async () => {
    const caller = new AbortController();
    await using server = host(streamed(HELLO + STOP + DONE));
    const { message } = await outcome(call(server.baseUrl, { signal: caller.signal }));
    const before = structuredClone(message);
    caller.abort();
    expect(message).toEqual(before);
    expect(message.stopReason).toBe("stop");
  });
});
