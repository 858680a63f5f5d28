// The Codex backend's dialect under the laws of Responses, and the rules of its own.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantMessage } from "../../message.ts";
import { keptReasoning } from "../openai-responses/kept-item.ts";
import { arbitraryKept } from "../openai-responses/own-replies.ts";
import { validateResponsesRequest } from "../openai-responses/validate-request.ts";
import { renamedOrigin, renamedReplies, renamedRequests } from "../renamed-conversation.ts";
import { testStreamLaws } from "../stream-laws.ts";
import { META } from "../wire-test-support.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";

const NAMES = { base: "openai-responses", own: "openai-codex-responses" } as const;

/** As with Responses: empty blocks, item ids and the parts of a summary are lost. */
function told(message: AssistantMessage): unknown {
  const content = message.content.flatMap((block): unknown[] => {
    if (block.type === "toolCall") return [[block.id.split("|")[0], block.name, block.arguments]];
    if (block.type === "text") return block.text === "" ? [] : [block.text];
    const encrypted = keptReasoning(block.opaque)?.encrypted_content;
    return block.text === "" && !encrypted ? [] : [[block.text, encrypted]];
  });
  return { ...message, content, responseId: META.id };
}

describe("replies", () => {
  testStreamLaws({
    client,
    server,
    origin: renamedOrigin(NAMES),
    reply: renamedReplies(NAMES, { opaqueData: arbitraryKept }),
    carried: told,
    comparable: told,
    streamsOnly: true,
  });
});

test("every prefix of a session is a request that the backend accepts", () => {
  fc.assert(
    fc.property(renamedRequests(NAMES, { opaqueData: arbitraryKept }), (request) => {
      for (let end = 1; end <= request.messages.length; end++) {
        const messages = request.messages.slice(0, end);
        const encoded = client.encodeRequest({ ...request, messages });
        const body = JSON.parse(JSON.stringify(encoded.body)) as Record<string, unknown>;
        const problems = validateResponsesRequest(body);
        expect(problems.filter((problem) => problem !== "input is empty")).toEqual([]);
        expect(body).toMatchObject({
          store: false,
          stream: true,
          instructions: expect.stringMatching(/\S/),
          include: ["reasoning.encrypted_content"],
        });
        for (const field of ["max_output_tokens", "temperature", "top_p"]) {
          expect(body).not.toHaveProperty(field);
        }
      }
    }),
    { numRuns: 200 },
  );
});
