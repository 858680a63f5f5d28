// Azure's Responses are OpenAI's: the same laws hold under the other name.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantMessage } from "../../message.ts";
import { keptReasoning } from "../openai-responses/kept-item.ts";
import { arbitraryKept } from "../openai-responses/own-replies.ts";
import { validateResponsesRequest } from "../openai-responses/validate-request.ts";
import { said, testModel, testRequest } from "../openai-testing.ts";
import { renamedOrigin, renamedReplies, renamedRequests } from "../renamed-conversation.ts";
import { testStreamLaws } from "../stream-laws.ts";
import { META } from "../wire-test-support.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";

const NAMES = { base: "openai-responses", own: "azure-openai-responses" } as const;
const ORIGIN = renamedOrigin(NAMES);

/** Lost on the way through a server of ours: empty blocks, item ids, how a summary was divided. */
function carried(message: AssistantMessage): unknown {
  const content = message.content.flatMap((block): unknown[] => {
    if (block.type === "toolCall") return [{ ...block, opaque: undefined }];
    if (block.type === "text") return block.text === "" ? [] : [block.text];
    const encrypted = keptReasoning(block.opaque)?.encrypted_content;
    return block.text === "" && !encrypted ? [] : [[block.text, encrypted]];
  });
  return { ...message, content, responseId: META.id };
}

function comparable(message: AssistantMessage): unknown {
  const content = message.content.map((block): unknown => {
    if (block.type === "toolCall") return { ...block, id: block.id.split("|")[0] };
    if (block.type === "text") return block.text;
    expect(block.opaque?.wire ?? NAMES.own).toBe(NAMES.own);
    return [block.text, keptReasoning(block.opaque)?.encrypted_content];
  });
  return { ...message, content };
}

describe("replies", () => {
  const reply = renamedReplies(NAMES, { opaqueData: arbitraryKept });
  testStreamLaws({ client, server, origin: ORIGIN, reply, carried, comparable });
});

test("every prefix of a session is a request that the vendor accepts", () => {
  const sessions = fc.oneof(
    renamedRequests(NAMES),
    renamedRequests(NAMES, { opaqueData: arbitraryKept }),
  );
  fc.assert(
    fc.property(sessions, (request) => {
      for (let end = 1; end <= request.messages.length; end++) {
        const messages = request.messages.slice(0, end);
        const { body } = client.encodeRequest({ ...request, messages });
        const problems = validateResponsesRequest(JSON.parse(JSON.stringify(body)));
        // A log in which nobody has said anything yet is not sent at all.
        expect(problems.filter((problem) => problem !== "input is empty")).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );
});

test("reasoning of this wire is replayed, and only to it", () => {
  const itemsFor = (wire: "openai-responses" | "azure-openai-responses"): unknown[] => {
    const data = JSON.stringify({ id: "rs_1", summary: [], encrypted_content: "gAAA" });
    const opaque = { wire, model: "m", data };
    const thought = { type: "thinking" as const, text: "hm", opaque };
    const reply = said({ provider: "p", id: "m", wire }, [thought, { type: "text", text: "So." }]);
    const request = testRequest(testModel(NAMES.own), { messages: [reply] });
    return (client.encodeRequest(request).body.input as { type: string }[]).map(({ type }) => type);
  };
  expect(itemsFor("azure-openai-responses")).toEqual(["reasoning", "message"]);
  expect(itemsFor("openai-responses")).toEqual(["message"]);
});
