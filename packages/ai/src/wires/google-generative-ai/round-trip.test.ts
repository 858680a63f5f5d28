// Neutral conversation → body → neutral conversation. What does not survive is written
// down in `asCarried`, loss by loss; everything else has to come back as it was.

import { expect, test } from "bun:test";
import fc from "fast-check";
import type {
  AssistantBlock,
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ToolResultMessage,
} from "../../message.ts";
import { textOf } from "../../message.ts";
import type { Model } from "../../model.ts";
import { repairConversation } from "../../repair.ts";
import { emptyUsage } from "../../usage.ts";
import { arbitraryRequest } from "../arbitrary-conversation.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";

const WIRE = "google-generative-ai";

test("a conversation survives, but for the documented losses", () => {
  fc.assert(
    fc.property(arbitraryRequest(WIRE), (request) => {
      fc.pre(request.messages.length > 0);
      const { path, body } = client.encodeRequest(request);
      const sent: unknown = JSON.parse(JSON.stringify(body));
      const url = new URL(path, "http://127.0.0.1");
      const decoded = server.decodeRequest(url, new Headers(), sent);
      expect(decoded.modelId).toBe(request.model.id);
      expect(decoded.stream).toBe(request.stream);
      expect(decoded.tools).toEqual([...request.tools]);
      expect(decoded.system).toEqual(request.system.filter((text) => text.trim() !== ""));
      expect(numbered(decoded.messages)).toEqual(
        numbered(asCarried(request.messages, request.model)),
      );
    }),
    { numRuns: 500 },
  );
});

/** What the wire makes of a conversation that `repairConversation` has made sendable. */
function asCarried(messages: readonly Message[], model: Model): Message[] {
  const out: Message[] = [];
  // Pictures of results: a response holds text, so they move behind the last one.
  let pictures: (TextBlock | ImageBlock)[] = [];
  let calls: { id: string; name: string }[] = [];
  for (const message of repairConversation(messages, { model, userFirst: true })) {
    if (message.role === "toolResult") {
      out.push(carriedResult(message, calls.shift()!));
      const images = message.content.filter((block) => block.type === "image");
      pictures.push(...images.map(carriedContent));
      continue;
    }
    join(out, user(pictures));
    pictures = [];
    if (message.role === "assistant") {
      join(out, carriedReply(message, model));
      calls = message.content.filter((block) => block.type === "toolCall");
    } else {
      // There is no developer: its words become the user's.
      const content: (TextBlock | ImageBlock)[] = message.content;
      join(out, user(content.map(carriedContent)));
    }
  }
  join(out, user(pictures));
  if (out.length === 0)
    join(out, user([{ type: "text", text: "(The conversation continues from here.)" }]));
  // The user has the last word.
  if (out.at(-1)!.role === "assistant") out.push(user([{ type: "text", text: "(Continue.)" }]));
  return out.map(withReason);
}

function user(content: (TextBlock | ImageBlock)[]): Message {
  return { role: "user", content, timestamp: 0 };
}

/** Neighbours of one role are one content on the wire; an empty one is none. */
function join(out: Message[], message: Message): void {
  if (message.content.length === 0) return;
  const last = out.at(-1);
  if (last?.role !== message.role) out.push(message);
  else (last.content as unknown[]).push(...message.content);
}

/** The vendor reads fewer kinds of pictures, and signs nothing that a user says. */
function carriedContent(block: TextBlock | ImageBlock): TextBlock | ImageBlock {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.mimeType !== "image/gif") return block;
  return { type: "text", text: "[image left out: the model does not read image/gif]" };
}

/** The texts of a result are one text. */
function carriedResult(
  result: ToolResultMessage,
  call: { id: string; name: string },
): ToolResultMessage {
  const text = textOf(result) || "(see the attached image)";
  return { ...result, toolCallId: call.id, toolName: call.name, content: [{ type: "text", text }] };
}

function carriedReply(message: AssistantMessage, model: Model): AssistantMessage {
  const content: AssistantBlock[] = [];
  for (const block of message.content) {
    if (block.type === "toolCall") {
      const { malformed: _neverRan, ...rest } = block;
      content.push(rest);
    } else if (block.type === "text") content.push(block);
    else if (block.opaque) {
      // Thinking without a signature is void; that its text was withheld is not said.
      const { redacted: _notSaid, ...rest } = block;
      content.push(rest);
    }
  }
  return {
    role: "assistant",
    content,
    provider: "",
    model: model.id,
    wire: model.wire,
    stopReason: "stop",
    usage: emptyUsage(),
    timestamp: 0,
  };
}

function withReason(message: Message): Message {
  if (message.role !== "assistant") return message;
  const calls = message.content.some((block) => block.type === "toolCall");
  return { ...message, stopReason: calls ? "toolUse" : "stop" };
}

/**
 * Ids that the model did not give stay at home and come back as others, so calls are
 * numbered here; that each result still finds its call is what the numbers show.
 */
function numbered(messages: readonly Message[]): Message[] {
  let next = 0;
  let open: { id: string; number: string }[] = [];
  return messages.map((message) => {
    if (message.role === "assistant") {
      open = [];
      const content = message.content.map((block) => {
        if (block.type !== "toolCall") return block;
        const number = `call ${next++}`;
        open.push({ id: block.id, number });
        return { ...block, id: number };
      });
      return { ...message, content };
    }
    if (message.role !== "toolResult") return message;
    const at = open.findIndex(({ id }) => id === message.toolCallId);
    const [call] = open.splice(at, 1);
    return { ...message, toolCallId: call?.number ?? "nobody's" };
  });
}
