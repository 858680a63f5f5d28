// Laws of the request: it survives encode → decode up to the losses named here, every
// prefix of a session is acceptable, and a longer session extends a shorter one.

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantMessage, Message } from "../../message.ts";
import { textOf } from "../../message.ts";
import { repairConversation } from "../../repair.ts";
import type { ModelRequest } from "../../request.ts";
import { arbitraryRequest } from "../arbitrary-conversation.ts";
import { uniqueIds } from "../stable-id.ts";
import { client } from "./client.ts";
import { fitCallId } from "./item-id.ts";
import { keptReasoning, reasoningText, WIRE } from "./kept-item.ts";
import { arbitraryKept, ORIGIN, OWN, toLastAnswer, URL_OF_WIRE } from "./own-replies.ts";
import { server } from "./server.ts";
import { validateResponsesRequest } from "./validate-request.ts";

const SEED = 16;

/**
 * What a request loses here: thinking that the vendor did not encrypt, thinking behind
 * the last answer, ids of items whose reasoning is lost, whether a result was an error,
 * the border between neighbouring replies, and everything that repair mends.
 */
function normaliseRequest(request: ModelRequest): unknown[] {
  const history = repairConversation(request.messages, {
    model: request.model,
    toolCallId: uniqueIds(fitCallId),
  });
  const out: { role: string; content: unknown[]; id?: string }[] = [];
  for (const message of history) {
    if (message.role === "assistant") {
      const blocks = normaliseBlocks(message, request.model.id);
      const last = out.at(-1);
      if (last?.role === "assistant") last.content.push(...blocks);
      else if (blocks.length > 0) out.push({ role: "assistant", content: blocks });
    } else if (message.role === "toolResult") {
      const hasImages = message.content.some(({ type }) => type === "image");
      const joined = [{ type: "text", text: textOf(message) }];
      const content = hasImages ? message.content : joined;
      out.push({ role: "toolResult", content, id: message.toolCallId });
    } else if (message.role === "developer") {
      out.push({ role: "developer", content: [{ type: "text", text: textOf(message) }] });
    } else out.push({ role: "user", content: message.content });
  }
  return out;
}

function normaliseBlocks(message: AssistantMessage, modelId: string): unknown[] {
  let keepsIds = message.model === modelId;
  return toLastAnswer(message.content).flatMap((block): unknown[] => {
    const { opaque, ...rest } = block;
    if (rest.type === "toolCall") {
      const { malformed: _malformed, ...call } = rest;
      return [call];
    }
    if (rest.type === "text") {
      if (rest.text.trim() === "") return [];
      return [keepsIds && opaque ? { ...rest, opaque: opaque.data } : rest];
    }
    const kept = keptReasoning(opaque);
    keepsIds &&= kept !== undefined;
    if (!kept) return [];
    const text = reasoningText({ ...kept });
    return [{ type: "thinking", text, ...(text === "" ? { redacted: true } : {}), kept }];
  });
}

function comparable(messages: readonly Message[]): unknown[] {
  return messages.map((message) => {
    if (message.role === "toolResult") {
      return { role: "toolResult", content: message.content, id: message.toolCallId };
    }
    if (message.role !== "assistant") return { role: message.role, content: message.content };
    const content = message.content.map(({ opaque, ...rest }) => {
      if (rest.type === "thinking") return { ...rest, kept: keptReasoning(opaque) };
      return rest.type === "text" && opaque ? { ...rest, opaque: opaque.data } : rest;
    });
    return { role: "assistant", content };
  });
}

test("a request comes back from encode and decode as it was, up to the named losses", () => {
  fc.assert(
    fc.property(arbitraryRequest(WIRE, OWN), (request) => {
      const { body } = client.encodeRequest(request);
      const back = server.decodeRequest(
        URL_OF_WIRE,
        new Headers(),
        JSON.parse(JSON.stringify(body)),
      );
      expect(comparable(back.messages)).toEqual(normaliseRequest(request));
      const system = request.system.filter((text) => text.trim() !== "").join("\n\n");
      expect(back.system.join()).toBe(system);
      expect(back.tools).toEqual([...request.tools]);
      expect(back.maxOutput).toBe(request.maxOutput);
      expect(back.cacheKey).toBe(request.cacheKey);
      expect(back.stream).toBe(request.stream);
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test("every prefix of a session is a request that the vendor accepts", () => {
  const sessions = fc.oneof(
    arbitraryRequest(WIRE),
    arbitraryRequest(WIRE, { origin: ORIGIN, opaqueData: arbitraryKept }),
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
    { seed: SEED, numRuns: 400 },
  );
});

test("a longer session begins with the items of the shorter one", () => {
  fc.assert(
    fc.property(arbitraryRequest(WIRE, OWN), (request) => {
      const user: Message = {
        role: "user",
        content: [{ type: "text", text: "and now?" }],
        timestamp: 0,
      };
      const before = client.encodeRequest(request).body.input as unknown[];
      const longer = { ...request, messages: [...request.messages, user] };
      const after = client.encodeRequest(longer).body.input as unknown[];
      expect(after.slice(0, before.length)).toEqual(before);
    }),
    { seed: SEED },
  );
});
