// Laws of the wire as a whole: any chunking gives the same events, a stream and a request
// survive encode → decode up to the losses named here, every history is acceptable.

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantBlock, AssistantMessage, Message } from "../../message.ts";
import { textOf } from "../../message.ts";
import { repairConversation } from "../../repair.ts";
import type { ModelRequest } from "../../request.ts";
import { emptyUsage } from "../../usage.ts";
import { arbitraryAssistantMessage, arbitraryRequest } from "../arbitrary-conversation.ts";
import { uniqueIds } from "../stable-id.ts";
import { thinkingLevel } from "../thinking-effort.ts";
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
import { server } from "./server.ts";
import { fitCallId } from "./tool-call-id.ts";
import { validateCompletionsRequest } from "./validate-request.ts";

const SEED = 17;
const WIRE = "openai-completions";
const ORIGIN = { provider: "groq", model: "llama-one", wire: WIRE } as const;
const OWN = { origin: ORIGIN, complete: true };

/**
 * What a reply loses here: opaque bytes, redacted thinking, empty text and thinking, and
 * the borders between blocks of one kind that follow one another.
 */
function normaliseReply(message: AssistantMessage): AssistantMessage {
  const content: AssistantBlock[] = [];
  for (const { opaque: _opaque, ...block } of message.content) {
    const last = content.at(-1);
    if (block.type !== "toolCall") {
      if (block.text === "") continue;
      delete (block as { redacted?: boolean }).redacted;
      if (last?.type === block.type) {
        content[content.length - 1] = { ...last, text: last.text + block.text };
        continue;
      }
    }
    content.push(block);
  }
  return { ...message, content, responseId: META.id };
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
        expect(messageOf(whole)).toEqual(normaliseReply(message));
      },
    ),
    { seed: SEED, numRuns: 60 },
  );
});

test("a stream cut off anywhere ends in one error and no call that could run by mistake", () => {
  fc.assert(
    fc.property(arbitraryAssistantMessage(OWN), fc.nat(100_000), (message, place) => {
      const bytes = encodeEvents(server, eventsOf(message));
      const end = new TextEncoder().encode("data: [DONE]\n\n").length;
      const kept = bytes.subarray(0, place % (bytes.length - end));
      const events = decodePieces(client, [kept], ORIGIN);
      expect(events.filter(({ type }) => type === "done" || type === "error")).toHaveLength(1);
      for (const block of messageOf(events).content) {
        if (block.type !== "toolCall" || block.malformed !== undefined) continue;
        const told = message.content.find((one) => one.type === "toolCall" && one.id === block.id);
        expect(told).toMatchObject({ arguments: block.arguments });
      }
    }),
    { seed: SEED, numRuns: 200 },
  );
});

/** A whole reply has one text and one reasoning field, so the order of blocks is lost too. */
test("a whole reply gives the same texts and calls as the streamed one", () => {
  fc.assert(
    fc.property(arbitraryAssistantMessage(OWN), (message) => {
      const body = JSON.parse(JSON.stringify(server.encodeReply(message, META)));
      const whole = messageOf(decodeWhole(client, body, ORIGIN));
      const streamed = normaliseReply(message);
      expect(textOf(whole)).toBe(textOf(streamed));
      const calls = (of: AssistantMessage) => of.content.filter((b) => b.type === "toolCall");
      expect(calls(whole)).toEqual(calls(streamed));
      expect(whole.usage).toEqual(streamed.usage);
      expect(whole.stopReason).toBe(streamed.stopReason);
    }),
    { seed: SEED },
  );
});

/**
 * What a request loses here: thinking, opaque bytes, block borders of a reply, whether a
 * result was an error, images inside results (they follow as the user's), the role of
 * later instructions, and everything that repair mends.
 */
function normaliseRequest(request: ModelRequest): Message[] {
  const history = repairConversation(request.messages, {
    model: request.model,
    toolCallId: uniqueIds(fitCallId),
  });
  const out: Message[] = [];
  let images: Message | undefined;
  for (const message of history) {
    if (message.role !== "toolResult" && images) {
      out.push(images);
      images = undefined;
    }
    if (message.role === "user") out.push({ ...message, timestamp: 0 });
    else if (message.role === "developer") {
      const content = [{ type: "text" as const, text: textOf(message) }];
      out.push({ role: "user", content, timestamp: 0 });
    } else if (message.role === "assistant") {
      const content: AssistantBlock[] = [];
      const text = textOf(message);
      if (text.trim() !== "") content.push({ type: "text", text });
      for (const block of message.content) {
        if (block.type !== "toolCall") continue;
        const { id, name, arguments: args } = block;
        content.push({ type: "toolCall", id, name, arguments: args });
      }
      if (content.length === 0) continue;
      const stopReason = content.some((b) => b.type === "toolCall") ? "toolUse" : "stop";
      const { id: model, wire } = request.model;
      const base = { role: "assistant" as const, provider: "", usage: emptyUsage(), timestamp: 0 };
      out.push({ ...base, content, model, wire, stopReason });
    } else {
      const pictures = message.content.filter((block) => block.type === "image");
      const said = textOf(message);
      const text = said || (pictures.length > 0 ? "(see the attached image)" : "(no output)");
      out.push({ ...message, content: [{ type: "text", text }], isError: false, timestamp: 0 });
      if (pictures.length > 0) {
        images ??= { role: "user", content: [], timestamp: 0 };
        (images.content as unknown[]).push(...pictures);
      }
    }
  }
  return images ? [...out, images] : out;
}

test("a request comes back from encode and decode as it was, up to the named losses", () => {
  fc.assert(
    fc.property(arbitraryRequest(WIRE), (request) => {
      const { body } = client.encodeRequest(request);
      const url = new URL("http://h/v1/chat/completions");
      const back = server.decodeRequest(url, new Headers(), JSON.parse(JSON.stringify(body)));
      // A result's tool name comes from its call, whatever the log said.
      const nameless = (messages: readonly Message[]) =>
        messages.map((m) => (m.role === "toolResult" ? { ...m, toolName: "" } : m));
      expect(nameless(back.messages)).toEqual(nameless(normaliseRequest(request)));
      const system = request.system.filter((text) => text.trim() !== "").join("\n\n");
      expect(back.system.join()).toBe(system);
      expect(back.tools).toEqual([...request.tools]);
      const level = thinkingLevel(request);
      expect(back.thinking).toBe(level === "off" ? undefined : level);
      expect(back.maxOutput).toBe(request.maxOutput);
      expect(back.stream).toBe(request.stream);
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test("every prefix of a session is a request that a strict host accepts", () => {
  const quirkSets = fc.constantFrom(
    {},
    { requiresMistralToolIds: true, requiresAssistantAfterToolResult: true },
    { requiresThinkingAsText: true, requiresAssistantContentForToolCalls: true },
    { supportsMultipleSystemMessages: true, supportsDeveloperRole: true, supportsStore: true },
    { maxTokensField: "max_completion_tokens", alwaysSendMaxTokens: true },
  );
  fc.assert(
    fc.property(arbitraryRequest(WIRE), quirkSets, (request, quirks) => {
      for (let end = 1; end <= request.messages.length; end++) {
        const messages = request.messages.slice(0, end);
        const model = { ...request.model, quirks };
        const { body } = client.encodeRequest({ ...request, model, messages });
        const problems = validateCompletionsRequest(JSON.parse(JSON.stringify(body)));
        // A log in which nobody has said anything yet is not sent at all.
        expect(problems.filter((problem) => problem !== "messages is empty")).toEqual([]);
      }
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test("a longer session begins with the messages of the shorter one", () => {
  fc.assert(
    fc.property(arbitraryRequest(WIRE), (request) => {
      const user: Message = {
        role: "user",
        content: [{ type: "text", text: "and now?" }],
        timestamp: 0,
      };
      const before = client.encodeRequest(request).body.messages as unknown[];
      const longer = { ...request, messages: [...request.messages, user] };
      const after = client.encodeRequest(longer).body.messages as unknown[];
      expect(after.slice(0, before.length)).toEqual(before);
    }),
    { seed: SEED },
  );
});
