// Laws of the stream: any chunking gives the same events, a reply survives encode →
// decode up to the losses named here, a broken one never yields a call by mistake.

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantBlock, AssistantMessage, Message, ThinkingBlock } from "../../message.ts";
import { arbitraryAssistantMessage } from "../arbitrary-conversation.ts";
import { testModel } from "../openai-testing.ts";
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
import { keptReasoning, WIRE } from "./kept-item.ts";
import { ORIGIN, OWN, toLastAnswer, URL_OF_WIRE } from "./own-replies.ts";
import { server } from "./server.ts";

const SEED = 15;
const MODEL = testModel(WIRE, { id: ORIGIN.model });

/**
 * What a reply loses on its way through a server of ours: empty text, thinking that is
 * neither text nor encrypted, the item ids (the server gives its own), how a summary was
 * divided, and opaque bytes of calls. Encrypted reasoning survives.
 */
function normaliseReply(message: AssistantMessage): unknown {
  const content = message.content.flatMap((block): unknown[] => {
    const { opaque, ...rest } = block;
    if (rest.type === "toolCall") return [rest];
    if (rest.type === "text") return rest.text === "" ? [] : [rest];
    const encrypted = keptReasoning(opaque)?.encrypted_content;
    if (rest.text === "" && encrypted === undefined) return [];
    return [thoughtOf({ type: "thinking", text: rest.text }, encrypted)];
  });
  return { ...message, content, responseId: META.id };
}

function thoughtOf(block: ThinkingBlock, encrypted: string | undefined): unknown {
  const redacted = block.text === "" ? { redacted: true } : {};
  return { type: "thinking", text: block.text, ...redacted, encrypted };
}

/** The decoded side of the same comparison. */
function withoutIds(message: AssistantMessage): unknown {
  const content = message.content.map((block) => {
    const { opaque, ...rest } = block;
    if (rest.type === "toolCall") {
      // The server named the item of a call that had no item id.
      return { ...rest, id: rest.id.replace(/\|fc_[A-Za-z0-9]{24}$/, "") };
    }
    if (rest.type === "text") return rest;
    return thoughtOf(rest, keptReasoning(opaque)?.encrypted_content);
  });
  return { ...message, content };
}

test("any chunking of the bytes gives the same events, and they tell the same message", () => {
  fc.assert(
    fc.property(
      arbitraryAssistantMessage(OWN),
      fc.array(fc.nat(100_000), { maxLength: 40 }),
      (message, places) => {
        const bytes = encodeEvents(server, eventsOf(message));
        const whole = decodePieces(client, [bytes], ORIGIN);
        expect(decodePieces(client, cut(bytes, places), ORIGIN)).toEqual(whole);
        const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
        expect(decodePieces(client, single, ORIGIN)).toEqual(whole);
        expect(withoutIds(messageOf(whole))).toEqual(normaliseReply(message));
      },
    ),
    { seed: SEED, numRuns: 40 },
  );
});

test("a stream cut off anywhere ends in one error and no call that could run by mistake", () => {
  fc.assert(
    fc.property(arbitraryAssistantMessage(OWN), fc.nat(100_000), (message, place) => {
      const bytes = encodeEvents(server, eventsOf(message));
      const text = new TextDecoder().decode(bytes);
      const end = text.length - text.lastIndexOf("event: response.");
      const kept = bytes.subarray(0, place % (bytes.length - end));
      const events = decodePieces(client, [kept], ORIGIN);
      expect(events.filter(({ type }) => type === "done" || type === "error")).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: "error", error: { kind: "protocol" } });
      for (const block of messageOf(events).content) {
        if (block.type !== "toolCall" || block.malformed !== undefined) continue;
        const callId = block.id.split("|")[0];
        const told = message.content.find((one) => one.type === "toolCall" && one.id === callId);
        expect(told).toMatchObject({ arguments: block.arguments });
      }
    }),
    { seed: SEED, numRuns: 200 },
  );
});

test("a whole reply gives the same message as the streamed one", () => {
  fc.assert(
    fc.property(arbitraryAssistantMessage(OWN), (message) => {
      const body = JSON.parse(JSON.stringify(server.encodeReply(message, META)));
      const whole = messageOf(decodeWhole(client, body, ORIGIN));
      const streamed = messageOf(
        decodePieces(client, [encodeEvents(server, eventsOf(message))], ORIGIN),
      );
      expect(whole).toEqual(streamed);
    }),
    { seed: SEED },
  );
});

test("a reply of another vendor keeps its opaque bytes through a client of this wire", () => {
  fc.assert(
    fc.property(arbitraryAssistantMessage({ complete: true }), (message) => {
      const bytes = encodeEvents(server, eventsOf(message));
      const told = messageOf(decodePieces(client, [bytes], ORIGIN));
      // The client sends back what it was told; the server reads it.
      const user: Message = { role: "user", content: [{ type: "text", text: "?" }], timestamp: 0 };
      const { body } = client.encodeRequest({
        model: MODEL,
        system: [],
        messages: [user, told, user],
        tools: [],
        stream: false,
      });
      const back = server.decodeRequest(URL_OF_WIRE, new Headers(), body);
      const assistant = back.messages.find(({ role }) => role === "assistant");
      const opaqueOf = (blocks: readonly AssistantBlock[] = []) =>
        blocks.flatMap((block) =>
          block.type === "thinking" && block.opaque && block.opaque.wire !== WIRE
            ? [block.opaque]
            : [],
        );
      const sent = opaqueOf(toLastAnswer(told.content.length === 0 ? [] : message.content));
      expect(opaqueOf((assistant as AssistantMessage | undefined)?.content)).toEqual(sent);
      const ids = (blocks: readonly AssistantBlock[] = []) =>
        blocks.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
      expect(ids((assistant as AssistantMessage | undefined)?.content)).toEqual(
        ids(message.content),
      );
    }),
    { seed: SEED },
  );
});
