// What one entry puts before the model. The same entry always gives the same message
// objects: what was sent once is sent again byte for byte, so that vendors' prompt caches
// hit, and whatever is worked out per message is worked out once.

import type { ImageBlock, Message, TextBlock, UserMessage } from "@tau/ai/message";
import type { CompactionEntry, CustomMessageEntry, MessageEntry, SessionEntry } from "../entry.ts";
import branchContext from "./branch-context.md" with { type: "text" };
import compactionContext from "./compaction-context.md" with { type: "text" };
import { messageTokens } from "./message-tokens.ts";
import { framesOf, reinjectedOf } from "./preserved-data.ts";

const ROLES: ReadonlySet<string> = new Set<Message["role"]>([
  "user",
  "developer",
  "assistant",
  "toolResult",
]);
const NOTHING: readonly Message[] = [];

const whole = new WeakMap<SessionEntry, readonly Message[]>();
const pruned = new WeakMap<SessionEntry, readonly Message[]>();

/** Entries that are part of the conversation; every other kind is about it. */
export function isConversation(entry: SessionEntry): boolean {
  return (
    entry.type === "message" || entry.type === "custom_message" || entry.type === "branch_summary"
  );
}

/** Nothing for an entry that is not context, whatever its type. */
export function messagesOf(
  entry: SessionEntry,
  prunedIds?: ReadonlySet<string>,
): readonly Message[] {
  if (entry.type === "message" && isResult(entry) && prunedIds?.has(entry.id)) {
    return remembered(pruned, entry, () => [withoutOutput(entry.message)]);
  }
  return remembered(whole, entry, () => translate(entry));
}

function remembered(
  memory: WeakMap<SessionEntry, readonly Message[]>,
  entry: SessionEntry,
  make: () => readonly Message[],
): readonly Message[] {
  let messages = memory.get(entry);
  if (messages === undefined) {
    messages = make();
    memory.set(entry, messages);
  }
  return messages;
}

function translate(entry: SessionEntry): readonly Message[] {
  switch (entry.type) {
    case "message":
      // A role from elsewhere would be refused by every vendor.
      return ROLES.has(entry.message.role) ? [entry.message] : NOTHING;
    case "custom_message":
      return [customMessage(entry)];
    case "branch_summary":
      return [wrapped(branchContext, entry.summary, entry.timestamp)];
    case "compaction":
      return summaryMessages(entry);
    default:
      return NOTHING;
  }
}

/** The summary, with the frames of a snapshot where it has any, and what was injected again. */
export function summaryMessages(
  entry: Pick<CompactionEntry, "summary" | "timestamp" | "preserveData">,
): readonly Message[] {
  const summary = wrapped(compactionContext, entry.summary, entry.timestamp);
  summary.content.push(...framesOf(entry));
  return [summary, ...reinjectedOf(entry)];
}

/** What the application says is a developer's word; but only users may send images. */
function customMessage(entry: CustomMessageEntry): Message {
  const timestamp = millisecondsOf(entry.timestamp);
  const texts = entry.content.filter((block) => block.type === "text");
  if (entry.attribution === "agent" && texts.length === entry.content.length) {
    return { role: "developer", content: texts, timestamp };
  }
  return { role: "user", content: entry.content, timestamp };
}

function wrapped(template: string, summary: string, timestamp: string): UserMessage {
  const text = template.trim().replace("{{summary}}", () => summary.trim());
  const content: (TextBlock | ImageBlock)[] = [{ type: "text", text }];
  return { role: "user", content, timestamp: millisecondsOf(timestamp) };
}

type ResultEntry = MessageEntry & { message: { role: "toolResult" } };

export function isResult(entry: SessionEntry): entry is ResultEntry {
  return entry.type === "message" && entry.message.role === "toolResult";
}

/** The call stays answered; only what the answer said is gone. */
function withoutOutput(message: ResultEntry["message"]): Message {
  const text = `[Output truncated - ${messageTokens(message)} tokens] Call the tool again if you need it.`;
  return { ...message, content: [{ type: "text", text }] };
}

function millisecondsOf(timestamp: string): number {
  const milliseconds = Date.parse(timestamp);
  return Number.isNaN(milliseconds) ? 0 : milliseconds;
}
