// The law of Tau's own wire: what goes in comes out, exactly. Nothing is normalised here.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { modelFailure, type ModelErrorKind, type ModelFailure } from "../../error.ts";
import type { StreamEvent } from "../../event.ts";
import type { AssistantMessage } from "../../message.ts";
import { ReplyAssembler, type ReplyOrigin } from "../../reply-assembler.ts";
import type { ModelRequest } from "../../request.ts";
import { arbitraryAssistantMessage, arbitraryRequest } from "../arbitrary-conversation.ts";
import { callOf, said } from "../openai-testing.ts";
import {
  cut,
  decodePieces,
  decodeWhole,
  encodeEvents,
  eventsOf,
  messageOf,
  META,
} from "../wire-test-support.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";

/** Who the client thinks it talks to; the reply says who really spoke. */
const GATEWAY: ReplyOrigin = { provider: "gateway", model: "alias", wire: "tau-native" };
const URL_OF_WIRE = new URL("http://h/v1/tau/stream");

describe("replies", () => {
  test("events come out as they went in, of any vendor, whole or broken, in any chunks", () => {
    const places = fc.array(fc.nat(), { maxLength: 30 });
    fc.assert(
      fc.property(arbitraryAssistantMessage(), places, (message, at) => {
        const events = eventsOf(message);
        const bytes = encodeEvents(server, events);
        expect(decodePieces(client, [bytes], GATEWAY)).toEqual(events);
        expect(decodePieces(client, cut(bytes, at), GATEWAY)).toEqual(events);
        const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
        expect(decodePieces(client, single, GATEWAY)).toEqual(events);
      }),
      { numRuns: 300 },
    );
  });

  test("blocks that overlap, and calls that were cut off, come out as they went in", () => {
    for (const end of ["fail", "length"] as const) {
      const events: StreamEvent[] = [];
      const origin: ReplyOrigin = { provider: "p", model: "m", wire: "openai-responses" };
      const out = new ReplyAssembler(origin, (event) => events.push(structuredClone(event)), 42);
      out.responseId("resp_1");
      out.usage({ input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 1 });
      const thought = out.openThinking({ redacted: true });
      const [first, second] = [1, 2].map((n) => out.openToolCall({ id: `c${n}`, name: "read" }));
      second!.append('{"path":');
      first!.append('{"path":"/a"');
      thought.keep("opaque");
      thought.close();
      first!.settle('{"path":"/b"}');
      first!.keep("kept");
      first!.close();
      out.openToolCall({ id: "c3", name: "bare" });
      if (end === "fail") out.fail(modelFailure("network", "gone", { code: "ECONNRESET" }));
      else out.finish("length");
      const bytes = encodeEvents(server, events);
      expect(decodePieces(client, [bytes], GATEWAY)).toEqual(events);
      const body: unknown = JSON.parse(JSON.stringify(server.encodeReply(out.message, META)));
      expect(messageOf(decodeWhole(client, body, GATEWAY))).toEqual(out.message);
    }
  });

  test("a whole message comes out as it went in", () => {
    fc.assert(
      fc.property(arbitraryAssistantMessage(), (told) => {
        const message = messageOf(eventsOf(told));
        const body: unknown = JSON.parse(JSON.stringify(server.encodeReply(message, META)));
        expect(messageOf(decodeWhole(client, body, GATEWAY))).toEqual(message);
      }),
      { numRuns: 300 },
    );
  });

  test("a stream that breaks off anywhere is one error, and no call runs by mistake", () => {
    fc.assert(
      fc.property(arbitraryAssistantMessage({ complete: true }), fc.nat(), (message, at) => {
        const events = eventsOf(message);
        const end = encodeEvents(server, events.slice(0, -1)).length;
        const bytes = encodeEvents(server, events).subarray(0, at % (end + 1));
        const got = decodePieces(client, [bytes], GATEWAY);
        expect(got.filter(({ type }) => type === "done" || type === "error")).toHaveLength(1);
        expect(got.at(-1)).toMatchObject({ type: "error", error: { kind: "protocol" } });
        for (const block of messageOf(got).content) {
          if (block.type !== "toolCall" || block.malformed !== undefined) continue;
          expect(message.content).toContainEqual(expect.objectContaining({ id: block.id }));
        }
      }),
      { numRuns: 300 },
    );
  });
});

const arbitraryFailure: fc.Arbitrary<ModelFailure> = fc
  .record(
    {
      kind: fc.constantFrom<ModelErrorKind[]>("auth", "rate_limit", "timeout", "protocol"),
      message: fc.string({ unit: "grapheme" }),
      retryable: fc.boolean(),
      retryAfterMs: fc.nat(),
      status: fc.integer({ min: 400, max: 599 }),
      code: fc.string(),
      provider: fc.string(),
      requestId: fc.string(),
    },
    { requiredKeys: ["kind", "message", "retryable"] },
  )
  .map((failure) => failure as ModelFailure);

test("failures come out as they went in", () => {
  fc.assert(
    fc.property(arbitraryFailure, (failure) => {
      const { status, headers, body } = server.encodeError(failure);
      const text = JSON.stringify(body);
      expect(client.decodeError(status, new Headers(headers), text)).toEqual(failure);
      if (failure.status !== undefined) expect(status).toBe(failure.status);
    }),
  );
  expect(client.decodeError(502, new Headers(), "<html>")).toMatchObject({ kind: "overloaded" });
  const odd = JSON.stringify({ error: { kind: "toString", message: "no" } });
  expect(client.decodeError(400, new Headers(), odd)).toMatchObject({ kind: "invalid_request" });
});

describe("requests", () => {
  const requests = arbitraryRequest("openai-completions").map((request): ModelRequest => ({
    ...request,
    cacheRetention: "long",
    model: { ...request.model, wire: "tau-native" },
  }));

  test("every prefix of a session comes out as it went in", () => {
    fc.assert(
      fc.property(requests, fc.nat(), (whole, at) => {
        const messages = whole.messages.slice(0, at % (whole.messages.length + 1));
        const { model, ...neutral } = { ...whole, messages };
        const { body } = client.encodeRequest({ ...neutral, model });
        const sent: unknown = JSON.parse(JSON.stringify(body));
        const decoded = server.decodeRequest(URL_OF_WIRE, new Headers(), sent);
        expect(decoded).toEqual({ ...neutral, modelId: model.id } as never);
      }),
      { numRuns: 300 },
    );
  });

  test("of any other shape are refused", () => {
    const good = { version: 1, model: "m", system: [], messages: [], tools: [], stream: true };
    const decode = (body: unknown) => () => server.decodeRequest(URL_OF_WIRE, new Headers(), body);
    expect(decode(good)).not.toThrow();
    const user = { role: "user", content: [{ type: "text", text: "x" }], timestamp: 0 };
    const bad: unknown[] = [
      null,
      { ...good, version: 2 },
      { ...good, model: "" },
      { ...good, system: "x" },
      { ...good, system: [1] },
      { ...good, messages: undefined },
      { ...good, tools: [{ name: "x" }] },
      ...[
        { ...user, role: "system" },
        { ...user, timestamp: "now" },
        { ...user, content: "x" },
        { ...user, content: [{ type: "text" }] },
        { ...user, content: [{ type: "image", data: 1 }] },
        { ...user, content: [{ type: "text", text: "x", opaque: { wire: 1 } }] },
        { ...user, role: "toolResult" },
        { ...user, role: "assistant" },
      ].map((message) => ({ ...good, messages: [message] })),
    ];
    for (const body of bad) expect(decode(body)).toThrow();
  });
});

describe("other versions and nonsense", () => {
  const read = (text: string) =>
    messageOf(decodePieces(client, [new TextEncoder().encode(text)], GATEWAY));

  test("a server of another version is said to be one", () => {
    for (const start of ['{"version":2}', "{}"]) {
      const { error } = read(`event: start\ndata: ${start}\n\n`);
      expect(error).toMatchObject({ kind: "protocol", retryable: false });
      expect(error!.message).toContain("version");
    }
    expect(messageOf(decodeWhole(client, {}, GATEWAY)).error).toMatchObject({ retryable: false });
  });

  test("events that nobody knows yet are skipped, those that make no sense fail", () => {
    const start = 'event: start\ndata: {"version":1}\n\n';
    const odd = `${start}event: news\ndata: {}\n\nevent: text_delta\ndata: [7,"x"]\n\n`;
    expect(read(odd).error).toMatchObject({ kind: "protocol" });
    for (const end of ["{}", '{"message":{"role":"assistant"}}', "[]"]) {
      expect(read(`${start}event: done\ndata: ${end}\n\n`).error).toMatchObject({
        kind: "protocol",
      });
    }
    const block = '{"index":0,"block":{"type":"thinking","text":"x"}}';
    const mixed = `event: text_start\ndata: {"index":0}\n\nevent: text_end\ndata: ${block}\n\n`;
    expect(read(start + mixed).error).toMatchObject({ kind: "protocol" });
  });

  test("a call is not run on a contradiction", () => {
    const reply = eventsOf(said({ provider: "p", id: "m", wire: "tau-native" }, [callOf("c")]));
    const whole = (of: AssistantMessage) =>
      of.error === undefined && of.content.some((b) => b.type === "toolCall" && !b.malformed);
    const told = (events: StreamEvent[]) =>
      read(new TextDecoder().decode(encodeEvents(server, events)));
    expect(whole(told(reply))).toBe(true);
    expect(whole(told(reply.filter(({ type }) => type !== "toolcall_end")))).toBe(false);
    const called = reply.map((event) =>
      event.type === "toolcall_end"
        ? { ...event, block: { ...event.block, malformed: '{"path":"/a"}' } }
        : event,
    );
    expect(whole(told(called))).toBe(false);
  });

  test("a failure without a known kind is still one", () => {
    const failed = eventsOf({
      role: "assistant",
      content: [],
      ...GATEWAY,
      stopReason: "error",
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      error: modelFailure("auth", "no"),
      timestamp: 0,
    });
    const text = new TextDecoder().decode(encodeEvents(server, failed));
    expect(read(text.replaceAll('"kind":"auth"', '"kind":"gone"')).error).toMatchObject({
      kind: "protocol",
    });
  });
});

test("both paths are served, base URLs are taken with and without the version", () => {
  for (const path of ["/v1/tau/stream", "/gate/v1/tau/stream", "/v1/pi/stream"]) {
    expect(server.matches("POST", new URL(path, "http://h"))).toBe(true);
  }
  expect(server.matches("GET", URL_OF_WIRE)).toBe(false);
  fc.assert(
    fc.property(fc.constantFrom("http://h", "http://h/v1", "http://h/v1/"), (baseUrl) => {
      const [request] = fc.sample(arbitraryRequest("openai-completions"), 1);
      const { path } = client.encodeRequest({ ...request!, model: { ...request!.model, baseUrl } });
      expect(baseUrl.replace(/\/$/, "") + path).toBe("http://h/v1/tau/stream");
    }),
    { numRuns: 10 },
  );
});
