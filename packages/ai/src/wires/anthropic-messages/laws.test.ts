// Laws of the wire, on random conversations: what is encoded is accepted, what is sent
// comes back, and how the network cuts the bytes makes no difference.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantBlock, AssistantMessage, Message } from "../../message.ts";
import type { ModelRequest } from "../../request.ts";
import { isSignedBy, ORIGINS } from "../arbitrary-block.ts";
import { arbitraryAssistantMessage, arbitraryRequest } from "../arbitrary-conversation.ts";
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
import { validateAnthropicRequest } from "./validate-request.ts";

const ORIGIN = ORIGINS.find(({ wire }) => wire === "anthropic-messages")!;
const COMPLETE = { origin: ORIGIN, complete: true };

/** As sent: JSON, where undefined is absent. */
function wireBody(request: ModelRequest): Record<string, unknown> {
  return JSON.parse(JSON.stringify(client.encodeRequest(request).body)) as Record<string, unknown>;
}

function faults(request: ModelRequest): string[] {
  const origin = { wire: request.model.wire, model: request.model.id };
  return validateAnthropicRequest(wireBody(request), {
    isOwnSignature: (signature) => isSignedBy(signature, origin),
  });
}

describe("requests", () => {
  test("any part of any session is accepted", () => {
    fc.assert(
      fc.property(arbitraryRequest("anthropic-messages"), fc.nat(), (request, at) => {
        const messages = request.messages.slice(0, at % (request.messages.length + 1));
        expect(faults({ ...request, messages })).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test("any part of any session is accepted by adaptive models without prefill", () => {
    const quirks = { thinkingStyle: "adaptive", supportsPrefill: false, thinksByDefault: true };
    fc.assert(
      fc.property(arbitraryRequest("anthropic-messages"), fc.nat(), (request, at) => {
        const messages = request.messages.slice(0, at % (request.messages.length + 1));
        const model = { ...request.model, quirks };
        const body = wireBody({ ...request, model, messages });
        expect(faults({ ...request, model, messages })).toEqual([]);
        expect((body.messages as Message[]).at(-1)?.role).toBe("user");
      }),
    );
  });

  test("a longer session repeats the bytes of a shorter one", () => {
    fc.assert(
      fc.property(arbitraryRequest("anthropic-messages"), fc.nat(), (request, at) => {
        // A reply and its results enter the log together; only such cuts are requests.
        const ends = request.messages.flatMap((m, i) => (m.role === "assistant" ? [i] : []));
        const short = request.messages.slice(0, ends[at % Math.max(1, ends.length)]);
        const before = unmarked(wireBody({ ...request, messages: short, thinking: "off" }));
        const after = unmarked(wireBody({ ...request, thinking: "off" }));
        // An empty conversation has a placeholder where the first message will be.
        fc.pre(!(before.length === 1 && before[0]!.includes("(The conversation continues")));
        // The last message may be the assistant's or grow; everything before it stands.
        expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
        expect(after[before.length - 1]?.startsWith(before.at(-1)!.slice(0, -2))).toBe(true);
      }),
    );
  });

  test("decoding gives back what was encoded", () => {
    fc.assert(
      fc.property(arbitraryRequest("anthropic-messages"), (request) => {
        const url = new URL("http://127.0.0.1/v1/messages");
        const encoded = wireBody(request);
        const decoded = server.decodeRequest(url, new Headers(), encoded);
        const again = wireBody({ ...request, ...decoded, model: request.model });
        // Markers, and what was dropped or adjusted on the first way out, stay as they are.
        expect(again.messages).toEqual(encoded.messages);
        expect(again.system).toEqual(encoded.system);
        expect(again.tools).toEqual(encoded.tools);
        expect(decoded.modelId).toBe(request.model.id);
        expect(decoded.stream).toBe(request.stream);
      }),
    );
  });
});

/** The messages one by one, without markers. */
function unmarked(body: Record<string, unknown>): string[] {
  return (body.messages as unknown[]).map((message) =>
    JSON.stringify(message).replaceAll(/,"cache_control":\{[^}]*\}/g, ""),
  );
}

/**
 * What the wire cannot carry: opaque bytes of text and calls (it signs thinking only), and
 * the raw text of arguments that were not JSON.
 */
function normalise(message: AssistantMessage): AssistantMessage {
  const content = message.content.map((block): AssistantBlock => {
    if (block.type === "thinking") return block;
    const { opaque: _notCarried, ...rest } = block;
    return rest;
  });
  return { ...message, content, responseId: META.id, timestamp: 0 };
}

describe("replies", () => {
  test("a streamed reply comes back as it was", () => {
    fc.assert(
      fc.property(arbitraryAssistantMessage(COMPLETE), (message) => {
        const bytes = encodeEvents(server, eventsOf(message));
        expect(messageOf(decodePieces(client, [bytes], ORIGIN))).toEqual(normalise(message));
      }),
      { numRuns: 500 },
    );
  });

  test("a whole reply comes back as it was, with the streamed one's events", () => {
    fc.assert(
      fc.property(arbitraryAssistantMessage(COMPLETE), (message) => {
        const body: unknown = JSON.parse(JSON.stringify(server.encodeReply(message, META)));
        const whole = decodeWhole(client, body, ORIGIN);
        const streamed = decodePieces(client, [encodeEvents(server, eventsOf(message))], ORIGIN);
        expect(messageOf(whole)).toEqual(normalise(message));
        expect(structure(whole)).toEqual(structure(streamed));
      }),
    );
  });

  test("any cut of the bytes gives the same events", () => {
    fc.assert(
      fc.property(
        arbitraryAssistantMessage({ origin: ORIGIN }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (message, places) => {
          // A call without an id gets a new one at each reading.
          fc.pre(message.content.every((block) => block.type !== "toolCall" || block.id !== ""));
          const bytes = encodeEvents(server, eventsOf(message));
          const whole = decodePieces(client, [bytes], ORIGIN);
          expect(decodePieces(client, cut(bytes, places), ORIGIN)).toEqual(whole);
          const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
          expect(decodePieces(client, single, ORIGIN)).toEqual(whole);
        },
      ),
    );
  });

  test("a stream that breaks off runs nothing", () => {
    fc.assert(
      fc.property(arbitraryAssistantMessage(COMPLETE), fc.nat(), (message, at) => {
        const bytes = encodeEvents(server, eventsOf(message));
        // The last frame is whole without the blank line behind it, so that much must be missing.
        const short = bytes.subarray(0, at % (bytes.length - 3));
        const last = decodePieces(client, [short], ORIGIN).at(-1);
        expect(last?.type).toBe("error");
      }),
      { numRuns: 500 },
    );
  });

  test("a failed reply keeps what had arrived and says why", () => {
    fc.assert(
      fc.property(arbitraryAssistantMessage({ origin: ORIGIN }), (message) => {
        fc.pre(message.stopReason === "error");
        const got = messageOf(
          decodePieces(client, [encodeEvents(server, eventsOf(message))], ORIGIN),
        );
        expect(got.stopReason).toBe("error");
        expect(got.content.length).toBe(message.content.length);
        const kind = message.error!.kind;
        // The wire has no words of its own for a broken connection.
        expect(got.error?.kind).toBe(
          kind === "network" || kind === "protocol" ? "overloaded" : kind,
        );
      }),
    );
  });
});

/** Starts, ends and the terminal event; a whole reply needs fewer deltas. */
function structure(events: readonly { type: string }[]): string[] {
  return events.map(({ type }) => type).filter((type) => !type.endsWith("_delta"));
}
