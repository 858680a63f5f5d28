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
} from "../../message.ts";
import type { Model } from "../../model.ts";
import { repairConversation } from "../../repair.ts";
import { emptyUsage } from "../../usage.ts";
import { arbitraryRequest } from "../arbitrary-conversation.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";
import { createToolIds } from "./tool-ids.ts";

const URL_MESSAGES = new URL("http://127.0.0.1/v1/messages");

test("a conversation survives, but for the documented losses", () => {
  fc.assert(
    fc.property(arbitraryRequest("anthropic-messages"), (request) => {
      fc.pre(request.messages.length > 0);
      const plain = { ...request, thinking: "off" as const };
      const body: unknown = JSON.parse(JSON.stringify(client.encodeRequest(plain).body));
      const { messages } = server.decodeRequest(URL_MESSAGES, new Headers(), body);
      expect(messages).toEqual(asCarried(request.messages, request.model));
    }),
    { numRuns: 500 },
  );
});

/** What the wire makes of a conversation that `repairConversation` has made sendable. */
function asCarried(messages: readonly Message[], model: Model): Message[] {
  const options = { model, userFirst: true, toolCallId: createToolIds() };
  const out: Message[] = [];
  // Pictures of failed results: such a result holds text only, so they move behind it.
  let pictures: Message | undefined;
  for (const message of repairConversation(messages, options)) {
    if (message.role === "toolResult") {
      const { content, isError } = message;
      const texts = content.filter((block) => block.type === "text");
      const images = content.filter((block) => block.type === "image");
      if (!isError || images.length === 0) {
        out.push({ ...message, content: content.map(bare) });
        continue;
      }
      const kept =
        texts.length > 0 ? texts : [{ type: "text" as const, text: "(see the attached image)" }];
      out.push({ ...message, content: kept });
      if (pictures?.role === "user") pictures.content.push(...images);
      else pictures = { role: "user", content: [...images], timestamp: 0 };
      continue;
    }
    if (pictures) join(out, pictures);
    pictures = undefined;
    if (message.role === "assistant") join(out, carriedReply(message, model));
    // There is no developer: its words become the user's.
    else {
      const content: (TextBlock | ImageBlock)[] = message.content;
      join(out, { role: "user", content: content.map(bare), timestamp: 0 });
    }
  }
  if (pictures) join(out, pictures);
  if (out.length === 0) {
    const text = "(The conversation continues from here.)";
    out.push({ role: "user", content: [{ type: "text", text }], timestamp: 0 });
  }
  return withNames(out.map(withReason));
}

/** A result names its call, not its tool; the tool is the call's. */
function withNames(messages: readonly Message[]): Message[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === "toolResult") {
      return { ...message, toolName: names.get(message.toolCallId)! };
    }
    if (message.role === "assistant") {
      for (const block of message.content) {
        if (block.type === "toolCall") names.set(block.id, block.name);
      }
    }
    return message;
  });
}

/** Neighbours of one role are one message on the wire; an empty one is none. */
function join(out: Message[], message: Message): void {
  if (message.content.length === 0) return;
  const last = out.at(-1);
  if (last?.role !== message.role) out.push(message);
  else (last.content as unknown[]).push(...message.content);
}

/** Only thinking is signed on this wire. */
function bare<B extends AssistantBlock | ImageBlock>(block: B): B {
  if (block.type === "image") return block;
  const { opaque: _notCarried, ...rest } = block;
  return rest as B;
}

function carriedReply(message: AssistantMessage, model: Model): AssistantMessage {
  const content: AssistantBlock[] = [];
  for (const block of message.content) {
    if (block.type === "toolCall") {
      const { malformed: _neverRan, ...rest } = bare(block);
      content.push(rest);
    } else if (block.type === "text") {
      if (block.text.trim() !== "") content.push(bare(block));
    } // Thinking without a signature is void, and a withheld one is nothing but that.
    else if (block.opaque) content.push(block.redacted ? { ...block, text: "" } : block);
  }
  // A reply may not end in thinking, nor in blanks.
  while (content.at(-1)?.type === "thinking") content.pop();
  const last = content.at(-1);
  if (last?.type === "text") content[content.length - 1] = { ...last, text: last.text.trimEnd() };
  // Who spoke, what it cost and how it ended are not part of a request.
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
