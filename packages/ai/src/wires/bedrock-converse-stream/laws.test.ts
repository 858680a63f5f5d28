// Laws of the wire, on random conversations: what is encoded is accepted, what is sent
// comes back, and how the network cuts the bytes makes no difference.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantBlock, AssistantMessage } from "../../message.ts";
import type { ModelRequest } from "../../request.ts";
import { isSignedBy } from "../arbitrary-block.ts";
import { renamedOrigin, renamedReplies, renamedRequests } from "../renamed-conversation.ts";
import { testStreamLaws } from "../stream-laws.ts";
import { decodePieces, encodeEvents, eventsOf, messageOf } from "../wire-test-support.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";
import { validateConverseRequest } from "./validate-request.ts";

const NAMES = { base: "anthropic-messages", own: "bedrock-converse-stream" } as const;
const ORIGIN = renamedOrigin(NAMES);

function wireBody(request: ModelRequest): Record<string, unknown> {
  return JSON.parse(JSON.stringify(client.encodeRequest(request).body)) as Record<string, unknown>;
}

function faults(request: ModelRequest): string[] {
  const origin = { wire: NAMES.base, model: request.model.id };
  return validateConverseRequest(wireBody(request), {
    isOwnSignature: (signature) => isSignedBy(signature, origin),
  });
}

/**
 * What the wire cannot carry: blocks without content, opaque bytes of text and calls (it
 * signs reasoning only), and the reply's own id.
 */
function carried(message: AssistantMessage): AssistantMessage {
  const content = message.content.flatMap((block): AssistantBlock[] => {
    if (block.type !== "toolCall" && block.text === "") {
      return block.type === "thinking" && block.opaque ? [block] : [];
    }
    if (block.type === "thinking") return [block];
    const { opaque: _notCarried, ...rest } = block;
    return [rest];
  });
  return { ...message, content };
}

describe("replies", () => {
  const reply = renamedReplies(NAMES);
  testStreamLaws({ client, server, origin: ORIGIN, reply, carried });

  test("a failed or broken reply keeps what had arrived and says so", () => {
    const replies = renamedReplies(NAMES, { complete: false });
    fc.assert(
      fc.property(replies, (message) => {
        const events = eventsOf(message);
        const told = messageOf(events);
        const got = messageOf(decodePieces(client, [encodeEvents(server, events)], ORIGIN));
        const broken = told.content.some(
          (block) => block.type === "toolCall" && block.malformed !== undefined,
        );
        if (told.error) {
          expect(got.stopReason).toBe("error");
          // The wire has no words of its own for a broken connection, nor for an abort.
          const kind = told.error.kind;
          const lost = ["network", "protocol", "aborted"].includes(kind);
          expect(got.error?.kind).toBe(lost ? "overloaded" : kind);
        } else if (told.stopReason === "length") expect(got.stopReason).toBe("length");
        else expect(got.stopReason === "error").toBe(broken);
        const whole = (of: AssistantMessage) =>
          of.content.filter((b) => b.type === "toolCall" && b.malformed === undefined).length;
        // One without arguments at the very end may have been cut off, so it counts as broken.
        expect(whole(got)).toBeLessThanOrEqual(whole(told));
        if (!got.error && got.stopReason !== "length") expect(whole(got)).toBe(whole(told));
      }),
      { numRuns: 300 },
    );
  });
});

describe("requests", () => {
  for (const anthropicModel of [true, false]) {
    test(`any part of any session is accepted (Anthropic's: ${anthropicModel})`, () => {
      fc.assert(
        fc.property(renamedRequests(NAMES), fc.nat(), (request, at) => {
          const messages = request.messages.slice(0, at % (request.messages.length + 1));
          const model = { ...request.model, quirks: { anthropicModel } };
          expect(faults({ ...request, model, messages })).toEqual([]);
          if (anthropicModel) return;
          const body = wireBody({ ...request, model, messages });
          expect(body).not.toHaveProperty("additionalModelRequestFields");
          expect(JSON.stringify(body)).not.toContain('"cachePoint"');
        }),
        { numRuns: 600 },
      );
    });
  }

  test("a longer session repeats the messages of a shorter one", () => {
    fc.assert(
      fc.property(renamedRequests(NAMES), fc.nat(), (request, at) => {
        const ends = request.messages.flatMap((m, i) => (m.role === "assistant" ? [i] : []));
        const short = request.messages.slice(0, ends[at % Math.max(1, ends.length)]);
        const blocks = (messages: ModelRequest["messages"]): string[] =>
          (wireBody({ ...request, messages }).messages as { role: string; content: object[] }[])
            .flatMap(({ role, content }) => content.map((block) => role + JSON.stringify(block)))
            .filter((block) => !block.includes('"cachePoint"'));
        const before = blocks(short);
        fc.pre(!(before.length === 1 && before[0]!.includes("(The conversation continues")));
        // What only asks the model to go on makes room for what was really said next.
        if (before.at(-1)!.includes("(Continue.)")) before.pop();
        expect(blocks(request.messages).slice(0, before.length)).toEqual(before);
      }),
    );
  });

  /**
   * Lost beside what the Messages spelling loses: tools that nobody may choose, where the
   * history uses none, and the choice itself.
   */
  test("decoding gives back what was encoded", () => {
    fc.assert(
      fc.property(renamedRequests(NAMES), (request) => {
        const { path } = client.encodeRequest(request);
        const url = new URL(path, "http://h");
        expect(server.matches("POST", url)).toBe(true);
        const encoded = wireBody(request);
        const decoded = server.decodeRequest(url, new Headers(), encoded);
        expect(decoded).toMatchObject({ modelId: request.model.id, stream: request.stream });
        const again = wireBody({ ...decoded, model: request.model });
        expect(again.messages).toEqual(encoded.messages);
        expect(again.system).toEqual(encoded.system);
        expect(again.toolConfig).toEqual(encoded.toolConfig);
        for (const message of decoded.messages) {
          if (message.role === "assistant") expect(message.wire).toBe(NAMES.own);
        }
      }),
    );
  });
});
