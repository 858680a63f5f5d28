// Laws of the wire, on random conversations: what is encoded is accepted, what is sent
// comes back, and how the network cuts the bytes makes no difference.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantBlock, AssistantMessage, ImageBlock, Message } from "../../message.ts";
import { textOf } from "../../message.ts";
import type { Model } from "../../model.ts";
import { repairConversation } from "../../repair.ts";
import type { ModelRequest } from "../../request.ts";
import { fitCallId } from "../openai-completions/tool-call-id.ts";
import { renamedOrigin, renamedReplies, renamedRequests } from "../renamed-conversation.ts";
import { uniqueIds } from "../stable-id.ts";
import { testStreamLaws } from "../stream-laws.ts";
import { decodePieces, encodeEvents, eventsOf, messageOf } from "../wire-test-support.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";
import { validateOllamaRequest } from "./validate-request.ts";

const NAMES = { base: "openai-completions", own: "ollama-chat" } as const;
const ORIGIN = renamedOrigin(NAMES);
const URL_OF_WIRE = new URL("http://h/api/chat");

function wireBody(request: ModelRequest): Record<string, unknown> {
  return JSON.parse(JSON.stringify(client.encodeRequest(request).body)) as Record<string, unknown>;
}

/**
 * What a reply loses here: opaque bytes, withheld thinking, empty blocks, where one block
 * ends and the next of its kind begins, and what a cache gave.
 */
function carried(message: AssistantMessage): AssistantMessage {
  const content: AssistantBlock[] = [];
  for (const block of message.content) {
    const last = content.at(-1);
    if (block.type === "toolCall") {
      const { id, name, arguments: args } = block;
      content.push({ type: "toolCall", id, name, arguments: args });
    } else if (last?.type === block.type) last.text += block.text;
    else if (block.text !== "") content.push({ type: block.type, text: block.text });
  }
  const { input, output, cacheRead, cacheWrite } = message.usage;
  const usage = { input: input + cacheRead + cacheWrite, output, cacheRead: 0, cacheWrite: 0 };
  return { ...message, content, usage };
}

/** A whole reply is one thought, one text and its calls, in this order. */
function carriedWhole(message: AssistantMessage): AssistantMessage {
  const rank = { thinking: 0, text: 1, toolCall: 2 };
  const content = message.content.toSorted((a, b) => rank[a.type] - rank[b.type]);
  return carried({ ...message, content });
}

describe("replies", () => {
  const reply = renamedReplies(NAMES);
  testStreamLaws({ client, server, origin: ORIGIN, reply, carried, carriedWhole });

  test("a failed or broken reply is one, and no broken call looks whole", () => {
    fc.assert(
      fc.property(renamedReplies(NAMES, { complete: false }), (message) => {
        const events = eventsOf(message);
        const told = messageOf(events);
        const got = messageOf(decodePieces(client, [encodeEvents(server, events)], ORIGIN));
        const broken = told.content.some(
          (block) => block.type === "toolCall" && block.malformed !== undefined,
        );
        if (told.error) {
          // The wire tells a kind by its HTTP status alone.
          const kinds = { network: "overloaded", protocol: "overloaded", timeout: "overloaded" };
          const rest = { content_filter: "invalid_request", aborted: "invalid_request" };
          const lost: Record<string, string> = { ...kinds, ...rest };
          expect(got.error?.kind as string).toBe(lost[told.error.kind] ?? told.error.kind);
        } else if (told.stopReason === "length") expect(got.stopReason).toBe("length");
        else expect(got.stopReason === "error").toBe(broken);
        const calls = (of: AssistantMessage) =>
          of.content.flatMap((b) =>
            b.type === "toolCall" && b.malformed === undefined ? [b.arguments] : [],
          );
        expect(calls(got)).toEqual(calls(told));
      }),
      { numRuns: 300 },
    );
  });
});

describe("requests", () => {
  test("any part of any session is accepted", () => {
    const styles = fc.constantFrom("switch", "level");
    fc.assert(
      fc.property(renamedRequests(NAMES), styles, (whole, thinkStyle) => {
        for (let end = 1; end <= whole.messages.length; end++) {
          const model = { ...whole.model, quirks: { thinkStyle } };
          const request = { ...whole, model, messages: whole.messages.slice(0, end) };
          const faults = validateOllamaRequest(wireBody(request));
          // A log in which nobody has said anything yet is not sent at all.
          expect(faults.filter((fault) => fault !== "messages is empty")).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("a longer session begins with the messages of the shorter one", () => {
    const user: Message = { role: "user", content: [{ type: "text", text: "?" }], timestamp: 0 };
    fc.assert(
      fc.property(renamedRequests(NAMES), (request) => {
        const before = wireBody(request).messages as unknown[];
        const longer = wireBody({ ...request, messages: [...request.messages, user] });
        expect((longer.messages as unknown[]).slice(0, before.length)).toEqual(before);
      }),
    );
  });

  test("a conversation survives, but for the documented losses", () => {
    fc.assert(
      fc.property(renamedRequests(NAMES), (request) => {
        const decoded = server.decodeRequest(URL_OF_WIRE, new Headers(), wireBody(request));
        const system = request.system.filter((text) => text.trim() !== "").join("\n\n");
        const leading = decoded.system.join("|");
        expect(leading.startsWith(system)).toBe(true);
        expect(decoded).toMatchObject({ modelId: request.model.id, stream: request.stream });
        const told = [...texts(decoded.system.slice(system === "" ? 0 : 1)), ...decoded.messages];
        expect(told.map(comparable)).toEqual(
          asCarried(request.messages, request.model).map(comparable),
        );
      }),
      { numRuns: 300 },
    );
  });
});

const texts = (system: readonly string[]): Message[] =>
  system.map((text) => ({ role: "developer", content: [{ type: "text", text }], timestamp: 0 }));

/** The type of a picture, who spoke and whether a result was an error are not told. */
function comparable(message: Message): unknown {
  const content = message.content.map((block) =>
    block.type === "image" ? { ...block, mimeType: "" } : block,
  );
  if (message.role === "toolResult") return { role: message.role, id: message.toolCallId, content };
  return { role: message.role, content };
}

/**
 * A message is one text with its pictures behind it; thinking goes back to the model that
 * thought it; the pictures of results follow as the user's.
 */
function asCarried(messages: readonly Message[], model: Model): Message[] {
  const history = repairConversation(messages, { model, toolCallId: uniqueIds(fitCallId) });
  const out: Message[] = [];
  let images: ImageBlock[] = [];
  const flush = (): void => {
    if (images.length > 0) out.push(userOf("(see the attached image)", images));
    images = [];
  };
  for (const message of history) {
    if (message.role !== "toolResult") flush();
    if (message.role === "assistant") {
      const reply = replyOf(message, model);
      if (reply.content.length > 0) out.push(reply);
      continue;
    }
    const pictures = (message.content as { type: string }[]).filter((b) => b.type === "image");
    if (message.role === "toolResult") {
      images.push(...(pictures as ImageBlock[]));
      const text = textOf(message) || "(see the attached image)";
      out.push({ ...message, content: [{ type: "text", text }] });
    } else if (message.role === "user") {
      const said = message.content.flatMap((b) => (b.type === "text" ? [b.text] : []));
      const text = said.join("\n\n") || "(see the attached image)";
      out.push(userOf(text, pictures as ImageBlock[]));
    } else out.push({ ...message, content: [{ type: "text", text: textOf(message) }] });
  }
  flush();
  return out;
}

const userOf = (text: string, images: ImageBlock[]): Message => ({
  role: "user",
  content: [{ type: "text", text }, ...images],
  timestamp: 0,
});

function replyOf(message: AssistantMessage, model: Model): AssistantMessage {
  const calls = message.content.flatMap((block): AssistantBlock[] => {
    if (block.type !== "toolCall") return [];
    const { id, name, arguments: args } = block;
    return [{ type: "toolCall", id, name, arguments: args }];
  });
  const text = textOf(message);
  if (text.trim() === "" && calls.length === 0) return { ...message, content: [] };
  const own = message.wire === model.wire && message.model === model.id;
  const thoughts = message.content.flatMap((b) => (b.type === "thinking" && own ? [b.text] : []));
  const thinking = thoughts.join("");
  const content: AssistantBlock[] = [...calls];
  if (text !== "") content.unshift({ type: "text", text });
  if (thinking.trim() !== "") content.unshift({ type: "thinking", text: thinking });
  return { ...message, content };
}
