// Vertex carries two spellings; each keeps the laws of its own wire.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantBlock, AssistantMessage } from "../../message.ts";
import type { ModelRequest } from "../../request.ts";
import { isSignedBy } from "../arbitrary-block.ts";
import { validateAnthropicRequest } from "../anthropic-messages/validate-request.ts";
import { validateGoogleRequest } from "../google-generative-ai/validate-request.ts";
import { renamedOrigin, renamedReplies, renamedRequests } from "../renamed-conversation.ts";
import { testStreamLaws } from "../stream-laws.ts";
import { META } from "../wire-test-support.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";

const GEMINI = { base: "google-generative-ai", own: "google-vertex" } as const;
const CLAUDE = { base: "anthropic-messages", own: "google-vertex" } as const;

function prefixes(request: ModelRequest): ModelRequest[] {
  return request.messages.map((_, at) => ({
    ...request,
    messages: request.messages.slice(0, at + 1),
  }));
}

function bodyOf(request: ModelRequest): Record<string, unknown> {
  return JSON.parse(JSON.stringify(client.encodeRequest(request).body)) as Record<string, unknown>;
}

/** As on Google's other wire: blocks that only their neighbours tell apart are joined. */
function carriedByGemini(message: AssistantMessage): AssistantMessage {
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
  return { ...message, content, usage, responseId: META.id };
}

describe("Gemini", () => {
  const reply = renamedReplies(GEMINI);
  testStreamLaws({
    client,
    server,
    origin: renamedOrigin(GEMINI),
    reply,
    carried: carriedByGemini,
  });

  test("every prefix of a session is accepted", () => {
    fc.assert(
      fc.property(renamedRequests(GEMINI), (whole) => {
        for (const request of prefixes(whole)) {
          const origin = { wire: GEMINI.base, model: request.model.id };
          const isOwnSignature = (signature: string) => isSignedBy(signature, origin);
          expect(validateGoogleRequest(bodyOf(request), { isOwnSignature })).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("Claude", () => {
  const origin = { ...renamedOrigin(CLAUDE), model: "claude-one" };
  // The server tells the spelling of its reply by the model's name.
  const claude = { ...server, encodeStream: () => server.encodeStream({ ...META, modelId }) };
  const modelId = "claude-one";
  testStreamLaws({
    client,
    server: {
      ...claude,
      encodeReply: (message) => server.encodeReply(message, { ...META, modelId }),
    },
    origin,
    reply: renamedReplies(CLAUDE),
    // Only thinking is signed.
    carried: (message) => ({
      ...message,
      content: message.content.map((block) => {
        if (block.type === "thinking") return block;
        const { opaque: _notCarried, ...rest } = block;
        return rest;
      }),
      responseId: META.id,
    }),
  });

  test("every prefix of a session is accepted, without the fields that Vertex refuses", () => {
    fc.assert(
      fc.property(renamedRequests(CLAUDE), (whole) => {
        for (const request of prefixes(whole)) {
          const made = { wire: CLAUDE.base, model: request.model.id };
          const isOwnSignature = (signature: string) => isSignedBy(signature, made);
          const body = bodyOf(request);
          expect(body.anthropic_version).toBe("vertex-2023-10-16");
          expect(body).not.toHaveProperty("model");
          const named = { ...body, model: request.model.id };
          expect(validateAnthropicRequest(named, { isOwnSignature })).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("a request comes back with its model and its wish to stream", () => {
    fc.assert(
      fc.property(renamedRequests(CLAUDE), (request) => {
        const { path, body } = client.encodeRequest(request);
        const url = new URL(`http://h/v1/projects/p/locations/l${path}`);
        expect(server.matches("POST", url)).toBe(true);
        const decoded = server.decodeRequest(url, new Headers(), JSON.parse(JSON.stringify(body)));
        expect(decoded).toMatchObject({ modelId: request.model.id, stream: request.stream });
        for (const message of decoded.messages) {
          if (message.role === "assistant") expect(message.wire).toBe("google-vertex");
        }
      }),
      { numRuns: 50 },
    );
  });
});
