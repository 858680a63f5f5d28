// A gateway's promise, for the wires that borrow another's server half: opaque bytes come
// back to whoever made them, also where it is the very wire that lends its half.

import { expect, test } from "bun:test";
import type { AssistantMessage } from "../message.ts";
import { userText } from "../message.ts";
import { loadWireClient, loadWireServer, type HttpWireId, type WireId } from "../wire.ts";
import { said, testModel, testRequest } from "./openai-testing.ts";
import { decodePieces, encodeEvents, eventsOf, messageOf } from "./wire-test-support.ts";

const RENAMED: HttpWireId[] = [
  "azure-openai-responses",
  "openai-codex-responses",
  "google-vertex",
  "bedrock-converse-stream",
];
const ORIGINS: WireId[] = [
  ...RENAMED,
  "openai-responses",
  "google-generative-ai",
  "anthropic-messages",
  "tau-native",
];
const RESPONSES = new Set<WireId>([
  "openai-responses",
  "azure-openai-responses",
  "openai-codex-responses",
]);

/** Bytes as the wire in question would have given them. */
function bytesOf(wire: WireId): string {
  if (!RESPONSES.has(wire)) return btoa(`bytes of ${wire}`);
  return JSON.stringify({ id: "rs_1", summary: [], encrypted_content: `gAAA ${wire}` });
}

for (const wire of RENAMED) {
  test.each(ORIGINS)(`thinking of %s returns to it through ${wire}`, async (from) => {
    const [client, server] = [await loadWireClient(wire), await loadWireServer(wire)];
    const opaque = { wire: from, model: "m", data: bytesOf(from) };
    const told = said({ provider: "p", id: "m", wire: from }, [
      { type: "thinking", text: "hm", opaque },
      { type: "text", text: "So be it." },
    ]);
    // A client of the gateway keeps what it was told and sends it with its next request.
    const bytes = encodeEvents(server, eventsOf(told), { id: "r", modelId: "m", createdAt: 0 });
    const kept = messageOf(decodePieces(client, [bytes], { provider: "g", model: "m", wire }));
    const messages = [userText("?", 0), kept, userText("?", 0)];
    const request = testRequest(testModel(wire), { messages });
    const { path, body } = client.encodeRequest(request);
    const url = new URL(`http://h/v1${path}`);
    const decoded = server.decodeRequest(url, new Headers(), JSON.parse(JSON.stringify(body)));
    const reply = decoded.messages[1] as AssistantMessage;
    expect(reply.wire).toBe(wire);
    const thought = reply.content[0]!;
    expect(thought).toMatchObject({ type: "thinking", text: "hm" });
    expect(thought.opaque).toMatchObject({ wire: from, model: "m" });
    // A server of the Responses family names its items itself.
    const encrypted = (data: string) =>
      RESPONSES.has(wire) && wire === from
        ? (JSON.parse(data) as { encrypted_content: string }).encrypted_content
        : data;
    expect(encrypted(thought.opaque!.data)).toBe(encrypted(opaque.data));
  });
}
