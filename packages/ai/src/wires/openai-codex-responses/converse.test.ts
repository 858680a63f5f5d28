// The WebSocket of the Codex backend against a real server: the same message as over SSE, one
// connection for calls that are alike, and SSE whenever a socket does not work.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { CodexSocketServer, type CodexSocketScript } from "@tau/testkit/codex-socket-server";
import { callModel, type CallOptions } from "../../call.ts";
import { KeptConnections } from "../../kept-connections.ts";
import { textOf, type AssistantMessage } from "../../message.ts";
import type { Model } from "../../model.ts";
import { callOf, said, testModel, testRequest } from "../openai-testing.ts";
import { eventsOf } from "../wire-test-support.ts";

const MODEL = testModel("openai-codex-responses", { quirks: { prefersWebsocket: true } });
const saying = (text: string) => eventsOf(said(MODEL, [{ type: "text", text }]));
const SOCKET = { events: saying("By socket.") };
const BODY = saying("By body.");

async function ask(
  server: CodexSocketServer,
  over: Partial<Model> = {},
  options: CallOptions = {},
): Promise<AssistantMessage> {
  const model = { ...MODEL, baseUrl: server.baseUrl, ...over };
  const credential = async () => ({ origin: "flag" as const, token: "t", label: "me" });
  return callModel(testRequest(model), { credential, ...options }).result();
}

async function texts(script: CodexSocketScript, calls = 1) {
  await using server = await CodexSocketServer.start(script);
  const connections = new KeptConnections();
  const replies: AssistantMessage[] = [];
  for (let n = 0; n < calls; n++) replies.push(await ask(server, {}, { connections }));
  connections.close();
  return { texts: replies.map(textOf), replies, server };
}

test("a request is one message, without what only a body needs", async () => {
  await using server = await CodexSocketServer.start({ socket: () => SOCKET, body: BODY });
  expect(textOf(await ask(server))).toBe("By socket.");
  const [{ body, headers }] = server.arrivals as [(typeof server.arrivals)[0]];
  expect(body).toMatchObject({ type: "response.create", model: "m", store: false });
  expect(body).not.toHaveProperty("stream");
  expect(Object.fromEntries(headers)).toMatchObject({
    authorization: "Bearer t",
    originator: "tau",
    "openai-beta": "responses_websockets=2026-02-06",
  });
});

test("without the wish there is no handshake", async () => {
  await using server = await CodexSocketServer.start({ socket: () => SOCKET, body: BODY });
  for (const quirks of [undefined, { prefersWebsocket: false }]) {
    expect(textOf(await ask(server, { quirks }))).toBe("By body.");
  }
  expect(server.handshakes).toBe(0);
});

test("the message is the same over either transport", async () => {
  const block = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1 }).map((text) => ({ type: "text" as const, text })),
    fc.uuid().map((id) => callOf(`call_${id}`)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 5 }), async (content) => {
      const events = eventsOf(said(MODEL, content));
      await using server = await CodexSocketServer.start({
        socket: () => ({ events }),
        body: events,
      });
      const bySocket = await ask(server);
      const byBody = await ask(server, { quirks: {} });
      expect({ ...bySocket, timestamp: 0 }).toEqual({ ...byBody, timestamp: 0 });
      expect(server.arrivals.map(({ over }) => over)).toEqual(["socket", "body"]);
    }),
    { numRuns: 30 },
  );
});

test("calls that are alike share a connection; another model has its own", async () => {
  await using server = await CodexSocketServer.start({ socket: () => SOCKET, body: BODY });
  const connections = new KeptConnections();
  for (const id of ["m", "m", "other"]) await ask(server, { id }, { connections });
  expect(server.arrivals.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  connections.close();
  await until(() => server.open === 0);
  expect(server.open).toBe(0);
});

test("without somebody who keeps it, a connection ends with its reply", async () => {
  await using server = await CodexSocketServer.start({ socket: () => SOCKET, body: BODY });
  await ask(server);
  await until(() => server.open === 0);
  expect(server.open).toBe(0);
});

test("a refused handshake is SSE, and is not tried again", async () => {
  const { texts: all, server } = await texts({ body: BODY }, 3);
  expect(all).toEqual(["By body.", "By body.", "By body."]);
  expect(server.handshakes).toBe(1);
});

test("a socket that breaks before its first event is SSE", async () => {
  const { texts: all } = await texts({ socket: () => ({ ...SOCKET, cutAfter: 0 }), body: BODY });
  expect(all).toEqual(["By body."]);
});

test("a kept socket that is gone does not rule out the next", async () => {
  const socket = (_: unknown, turn: number) => (turn === 1 ? { ...SOCKET, cutAfter: 0 } : SOCKET);
  const { texts: all } = await texts({ socket, body: BODY }, 3);
  expect(all).toEqual(["By socket.", "By body.", "By socket."]);
});

test("one connection too many is SSE; other errors are the vendor's", async () => {
  const failing = (code: string) =>
    JSON.stringify({ type: "error", status: 400, error: { code, message: "No." } });
  const tooMany = failing("websocket_connection_limit_reached");
  const full = await texts({ socket: () => ({ messages: [tooMany] }), body: BODY });
  expect(full.texts).toEqual(["By body."]);
  const wrong = failing("context_length_exceeded");
  const told = await texts({ socket: () => ({ messages: [wrong] }), body: BODY });
  expect(told.replies[0]!.error).toMatchObject({ kind: "context_overflow", message: "No." });
  expect(told.server.arrivals).toHaveLength(1);
});

test("a socket that breaks in the middle is a cut reply, with what had come", async () => {
  const whole = saying("A rather long answer.");
  const { replies, server } = await texts({
    socket: () => ({ events: whole, cutAfter: 5 }),
    body: BODY,
  });
  expect(replies[0]).toMatchObject({ stopReason: "error", error: { retryable: true } });
  expect(textOf(replies[0]!)).toStartWith("A r");
  expect(server.arrivals).toHaveLength(1);
});

test("an abort closes the socket", async () => {
  await using server = await CodexSocketServer.start({
    socket: () => ({ messages: [] }),
    body: BODY,
  });
  const abort = new AbortController();
  const reply = ask(server, {}, { signal: abort.signal });
  await until(() => server.arrivals.length === 1);
  abort.abort();
  expect(await reply).toMatchObject({ stopReason: "aborted" });
  await until(() => server.open === 0);
  expect(server.open).toBe(0);
});

/** A server hears of a closed socket when it gets to it. */
async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 5000;
  while (!isSo() && Date.now() < end) await Bun.sleep(5);
}
