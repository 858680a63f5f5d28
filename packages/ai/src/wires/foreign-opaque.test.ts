// A gateway's promise: what another vendor signed comes back to it, byte for byte, through
// clients that know only their own wire.

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantMessage } from "../message.ts";
import { emptyUsage } from "../usage.ts";
import type { WireClient, WireServer } from "../wire.ts";
import { client as anthropic } from "./anthropic-messages/client.ts";
import { server as anthropicServer } from "./anthropic-messages/server.ts";
import { ORIGINS } from "./arbitrary-block.ts";
import { opaqueOf, signatureOf } from "./foreign-opaque.ts";
import { client as google } from "./google-generative-ai/client.ts";
import { server as googleServer } from "./google-generative-ai/server.ts";
import { decodePieces, encodeEvents, eventsOf, messageOf } from "./wire-test-support.ts";
import { FREE, type Model } from "../model.ts";

const WIRES: [WireClient, WireServer, Model["wire"]][] = [
  [anthropic, anthropicServer, "anthropic-messages"],
  [google, googleServer, "google-generative-ai"],
];

test("any bytes survive the wrapping, and own bytes are not wrapped", () => {
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(fc.constantFrom(...ORIGINS), text, fc.string(), ({ wire, model }, data, other) => {
      const opaque = { wire, model, data };
      expect(signatureOf(opaque, wire)).toBe(data);
      for (const [, , through] of WIRES) {
        const signature = signatureOf(opaque, through)!;
        expect(
          opaqueOf(signature, { wire: through, model: wire === through ? model : "x" }),
        ).toEqual(opaque);
      }
      const loose = btoa("tau-opaque::") + other;
      expect(opaqueOf(loose, opaque)).toEqual({ wire, model, data: loose });
    }),
  );
});

test.each(WIRES)(
  "a foreign reply's thinking returns to its origin (%#)",
  (client, server, wire) => {
    for (const origin of ORIGINS) {
      const opaque = { wire: origin.wire, model: origin.model, data: `of ${origin.model} é` };
      const message: AssistantMessage = {
        role: "assistant",
        content: [
          { type: "thinking", text: "hm", opaque },
          { type: "text", text: "So be it." },
        ],
        ...origin,
        stopReason: "stop",
        usage: emptyUsage(),
        timestamp: 0,
      };
      // What a client of the gateway keeps, and sends with its next request.
      const model: Model = { ...MODEL, id: "alias", wire };
      const bytes = encodeEvents(server, eventsOf(message));
      const kept = messageOf(
        decodePieces(client, [bytes], { provider: "gateway", model: "alias", wire }),
      );
      const user = {
        role: "user" as const,
        content: [{ type: "text" as const, text: "?" }],
        timestamp: 0,
      };
      const messages = [user, kept, user];
      const { path, body } = client.encodeRequest({
        model,
        system: [],
        messages,
        tools: [],
        stream: true,
      });
      const decoded = server.decodeRequest(new URL(path, "http://h"), new Headers(), body);
      const expected = origin.wire === wire ? { ...opaque, model: "alias" } : opaque;
      expect(decoded.messages[1]).toMatchObject({
        content: [{ text: "hm", opaque: expected }, {}],
      });
    }
  },
);

const MODEL: Model = {
  provider: "gateway",
  id: "alias",
  name: "Alias",
  wire: "anthropic-messages",
  baseUrl: "http://h",
  auth: "none",
  contextWindow: 1000,
  maxOutput: 1000,
  input: ["text"],
  cost: FREE,
};
