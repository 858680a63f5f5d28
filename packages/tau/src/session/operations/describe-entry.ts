// One line about an entry, for lists and trees: what kind it is, and how it begins.

import { textOf, type Message } from "@tau/ai/message";
import { oneLine } from "@tau/tui/width";
import type { SessionEntry } from "../entry.ts";

export interface EntryDescription {
  kind: string;
  text: string;
}

/** Of an entry's text, what a line may show; a screen is narrower. */
const MAX_PREVIEW_CHARACTERS = 300;

export function describeEntry(entry: SessionEntry): EntryDescription {
  const { kind, text } = described(entry);
  return { kind, text: oneLine(text.trimStart().slice(0, MAX_PREVIEW_CHARACTERS)).trim() };
}

/** All that can be searched for in it. */
export function searchTextOf(entry: SessionEntry): string {
  const { kind, text } = described(entry);
  return `${kind}\n${text}`;
}

function described(entry: SessionEntry): EntryDescription {
  switch (entry.type) {
    case "message":
      return describeMessage(entry.message);
    case "custom_message":
      return { kind: entry.customType, text: textOf(entry) };
    case "compaction":
      return { kind: "compaction", text: entry.shortSummary ?? entry.summary };
    case "branch_summary":
      return { kind: "summary", text: entry.summary };
    case "model_change":
      return { kind: "model", text: entry.model };
    case "thinking_level_change":
      return { kind: "thinking", text: entry.thinkingLevel };
    case "service_tier_change":
      return { kind: "service tier", text: entry.serviceTier ?? "none" };
    case "mode_change":
      return { kind: "mode", text: entry.mode };
    case "custom":
      return { kind: "custom", text: entry.customType };
    case "prune":
      return { kind: "prune", text: `${entry.entryIds.length} results` };
    default:
      return { kind: entry.type.replaceAll("_", " "), text: "" };
  }
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
