// The laws of a reply's stream, for the tests of any wire: how the network cuts the bytes
// makes no difference, a reply comes back up to the losses that its wire names, a whole
// reply tells the same message, and one that breaks off never yields a call by mistake.

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantMessage } from "../message.ts";
import type { ReplyOrigin } from "../reply-assembler.ts";
import type { WireClient, WireServer } from "../wire.ts";
import {
  cut,
  decodePieces,
  decodeWhole,
  encodeEvents,
  eventsOf,
  messageOf,
  META,
} from "./wire-test-support.ts";

export interface StreamLaws {
  client: WireClient;
  server: WireServer;
  origin: ReplyOrigin;
  /** Replies that came to their end, with whole calls and distinct ids. */
  reply: fc.Arbitrary<AssistantMessage>;
  /** What the wire makes of a reply: its losses. */
  carried: (reply: AssistantMessage) => unknown;
  /** The decoded reply in the same terms. */
  comparable?: (reply: AssistantMessage) => unknown;
  /** What a whole reply loses beyond that. */
  carriedWhole?: (reply: AssistantMessage) => unknown;
  /** Where the server's whole reply does not exist. */
  streamsOnly?: boolean;
}

const MAX_CUTS = 40;

export function testStreamLaws(laws: StreamLaws): void {
  const { client, server, origin, reply, carried } = laws;
  const comparable = laws.comparable ?? ((message: AssistantMessage): unknown => message);

  test("any chunking of the bytes gives the same events, and they tell the same reply", () => {
    const places = fc.array(fc.nat(100_000), { maxLength: MAX_CUTS });
    fc.assert(
      fc.property(reply, places, (message, at) => {
        const bytes = encodeEvents(server, eventsOf(message));
        const whole = decodePieces(client, [bytes], origin);
        expect(decodePieces(client, cut(bytes, at), origin)).toEqual(whole);
        const single = Array.from(bytes, (_, place) => bytes.subarray(place, place + 1));
        expect(decodePieces(client, single, origin)).toEqual(whole);
        expect(comparable(messageOf(whole))).toEqual(carried(message));
      }),
      { numRuns: 150 },
    );
  });

  test("a stream that breaks off anywhere is one error, and no call runs by mistake", () => {
    fc.assert(
      fc.property(reply, fc.nat(), (message, place) => {
        const events = eventsOf(message);
        const bytes = encodeEvents(server, events);
        const beforeEnd = encodeEvents(server, events.slice(0, -1)).length;
        const got = decodePieces(client, [bytes.subarray(0, place % (beforeEnd + 1))], origin);
        expect(got.filter(({ type }) => type === "done" || type === "error")).toHaveLength(1);
        expect(got.at(-1)).toMatchObject({ type: "error", error: { kind: "protocol" } });
        for (const block of messageOf(got).content) {
          if (block.type !== "toolCall" || block.malformed !== undefined) continue;
          const told = message.content.filter((one) => one.type === "toolCall");
          expect(told.map((call) => call.arguments)).toContainEqual(block.arguments);
        }
      }),
      { numRuns: 300 },
    );
  });

  if (laws.streamsOnly) return;
  test("a whole reply tells the same as the streamed one", () => {
    fc.assert(
      fc.property(reply, (message) => {
        const body: unknown = JSON.parse(JSON.stringify(server.encodeReply(message, META)));
        const whole = messageOf(decodeWhole(client, body, origin));
        expect(comparable(whole)).toEqual((laws.carriedWhole ?? carried)(message));
      }),
    );
  });
}
