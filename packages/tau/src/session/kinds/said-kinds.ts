// The kinds that the conversation is made of.

import { textOf, type Message } from "@tau/ai/message";
import type {
  BranchSummaryEntry,
  CompactionEntry,
  CustomMessageEntry,
  MessageEntry,
} from "../entry.ts";
import type { RuntimeState } from "../context/runtime-state.ts";
import { branchMessages, customMessages, summaryMessages } from "../context/said-messages.ts";
import {
  showBranchSummary,
  showCompaction,
  showCustomMessage,
  showMessage,
} from "../projection/show-said.ts";
import { customKinds } from "./custom-kinds.ts";
import { setsNothing, type EntryDescription, type EntryKind } from "./entry-kind.ts";

const ROLES: ReadonlySet<string> = new Set<Message["role"]>([
  "user",
  "developer",
  "assistant",
  "toolResult",
]);

export const messageKind: EntryKind<MessageEntry> = {
  place: "conversation",
  indexed: "head",
  inTree: "shown",
  fold: withSpeaker,
  describe: ({ message }) => describeMessage(message),
  // A role from elsewhere would be refused by every vendor.
  messages: ({ message }) => (ROLES.has(message.role) ? [message] : []),
  show: showMessage,
};

export const customMessageKind: EntryKind<CustomMessageEntry> = {
  place: "conversation",
  indexed: "head",
  inTree: "shown",
  fold: setsNothing,
  describe: (entry) =>
    customKinds.of(entry)?.describe?.(entry) ?? { kind: entry.customType, text: textOf(entry) },
  messages: customMessages,
  show: showCustomMessage,
};

export const branchSummaryKind: EntryKind<BranchSummaryEntry> = {
  place: "conversation",
  indexed: "head",
  inTree: "shown",
  fold: setsNothing,
  describe: ({ summary: text }) => ({ kind: "summary", text }),
  messages: branchMessages,
  show: showBranchSummary,
};

export const compactionKind: EntryKind<CompactionEntry> = {
  place: "summary",
  indexed: "head",
  inTree: "shown",
  fold: setsNothing,
  describe: ({ summary, shortSummary }) => ({ kind: "compaction", text: shortSummary ?? summary }),
  messages: summaryMessages,
  show: showCompaction,
};

function withSpeaker(state: RuntimeState, { message }: MessageEntry): RuntimeState {
  if (message.role !== "assistant") return state;
  const lastSpeaker = `${message.provider}/${message.model}`;
  return lastSpeaker === state.lastSpeaker ? state : { ...state, lastSpeaker };
}

function describeMessage(message: Message): EntryDescription {
  if (message.role === "toolResult") return { kind: message.toolName, text: textOf(message) };
  if (message.role !== "assistant") return { kind: message.role, text: textOf(message) };
  const text = textOf(message);
  if (text.trim() !== "") return { kind: "assistant", text };
  const calls = message.content.flatMap((block) =>
    block.type === "toolCall" ? [`${block.name} ${JSON.stringify(block.arguments)}`] : [],
  );
  if (calls.length > 0) return { kind: "assistant", text: `→ ${calls.join(", ")}` };
  return { kind: "assistant", text: message.error?.message ?? `(${message.stopReason})` };
}
