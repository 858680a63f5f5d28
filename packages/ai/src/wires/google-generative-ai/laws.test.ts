// Laws of the wire, on random conversations: what is encoded is accepted, what is sent
// comes back, and how the network cuts the bytes makes no difference.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ModelErrorKind } from "../../error.ts";
import type { AssistantBlock, AssistantMessage } from "../../message.ts";
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
import type { WireContent } from "./encode-contents.ts";
import { server } from "./server.ts";
import { validateGoogleRequest } from "./validate-request.ts";

const WIRE = "google-generative-ai";
const ORIGIN = ORIGINS.find(({ wire }) => wire === WIRE)!;
const COMPLETE = { origin: ORIGIN, complete: true };

function wireBody(request: ModelRequest): Record<string, unknown> {
  return JSON.parse(JSON.stringify(client.encodeRequest(request).body)) as Record<string, unknown>;
}

function faults(request: ModelRequest, options: { signedCalls: boolean }): string[] {
  const origin = { wire: request.model.wire, model: request.model.id };
  const ownIds = new Set<string>();
  for (const message of request.messages) {
    if (message.role !== "assistant" || message.wire !== WIRE) continue;
    for (const block of message.content) if (block.type === "toolCall") ownIds.add(block.id);
  }
  return validateGoogleRequest(wireBody(request), {
    ...options,
    isOwnSignature: (signature) => isSignedBy(signature, origin),
    isOwnId: (id) => ownIds.has(id),
  });
}

describe("requests", () => {
  test("any part of any session is accepted", () => {
    fc.assert(
      fc.property(arbitraryRequest(WIRE), fc.nat(), (request, at) => {
        const messages = request.messages.slice(0, at % (request.messages.length + 1));
        expect(faults({ ...request, messages }, { signedCalls: false })).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test("any part of any session is accepted by models that insist on signatures", () => {
    const quirks = { thinkingStyle: "level", thinkingOff: { thinkingLevel: "MINIMAL" } };
    fc.assert(
      fc.property(arbitraryRequest(WIRE), fc.nat(), (request, at) => {
        const messages = request.messages.slice(0, at % (request.messages.length + 1));
        const model = { ...request.model, quirks };
        expect(faults({ ...request, model, messages }, { signedCalls: true })).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("a longer session repeats the bytes of a shorter one", () => {
    fc.assert(
      fc.property(arbitraryRequest(WIRE), fc.nat(), (request, at) => {
        const ends = request.messages.flatMap((m, i) => (m.role === "assistant" ? [i] : []));
        const short = request.messages.slice(0, ends[at % Math.max(1, ends.length)]);
        const parts = (messages: ModelRequest["messages"]): string[] =>
          (wireBody({ ...request, messages }).contents as WireContent[]).flatMap(
            ({ role, parts }) => parts.map((part) => role + JSON.stringify(part)),
          );
        const before = parts(short);
        fc.pre(!(before.length === 1 && before[0]!.includes("(The conversation continues")));
        // What only asks the model to go on makes room for what was really said next.
        if (before.at(-1)!.includes("(Continue.)")) before.pop();
        expect(parts(request.messages).slice(0, before.length)).toEqual(before);
      }),
    );
  });
});

/**
 * What the wire cannot carry: blocks without content and signature; where one unsigned
 * block ends and the next of its kind begins; that thinking was withheld; what was written
 * to a cache (it counts as input).
 */
function normalise(message: AssistantMessage): AssistantMessage {
  const content: AssistantBlock[] = [];
  for (const block of message.content) {
    const last = content.at(-1);
    if (block.type === "toolCall") content.push(block);
    else if (block.text === "" && !block.opaque) continue;
    else if (last?.type === block.type && !last.opaque) {
      const joined = { ...last, text: last.text + block.text };
      content[content.length - 1] = block.opaque ? { ...joined, opaque: block.opaque } : joined;
    } else {
      const { type, text, opaque } = block;
      content.push(opaque ? { type, text, opaque } : { type, text });
    }
  }
  const { input, output, cacheRead, cacheWrite } = message.usage;
  const usage = { input: input + cacheWrite, output, cacheRead, cacheWrite: 0 };
  return { ...message, content, usage, responseId: META.id, timestamp: 0 };
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

  test("a failed reply says why, and no broken call looks whole", () => {
    fc.assert(
      fc.property(arbitraryAssistantMessage({ origin: ORIGIN }), (told) => {
        const events = eventsOf(told);
        const message = messageOf(events);
        const got = messageOf(decodePieces(client, [encodeEvents(server, events)], ORIGIN));
        const broken = message.content.some(
          (b) => b.type === "toolCall" && b.malformed !== undefined,
        );
        if (message.error) {
          expect(got.stopReason).toBe("error");
          expect(got.error?.kind).toBe(TOLD_AS[message.error.kind] ?? message.error.kind);
        } else if (message.stopReason === "length") expect(got.stopReason).toBe("length");
        else expect(got.stopReason === "error").toBe(broken);
      }),
    );
  });
});

/** Kinds that the wire has no words of its own for. */
const TOLD_AS: Partial<Record<ModelErrorKind, ModelErrorKind>> = {
  network: "overloaded",
  protocol: "overloaded",
  aborted: "invalid_request",
};

/** Starts, ends and the terminal event; a whole reply needs fewer deltas. */
function structure(events: readonly { type: string }[]): string[] {
  return events.map(({ type }) => type).filter((type) => !type.endsWith("_delta"));
}
