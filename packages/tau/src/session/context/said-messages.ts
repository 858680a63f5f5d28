// What the kinds that are conversation without being a message put before the model.

import type { ImageBlock, Message, TextBlock, UserMessage } from "@tau/ai/message";
import type { BranchSummaryEntry, CompactionEntry, CustomMessageEntry } from "../entry.ts";
import branchContext from "./branch-context.md" with { type: "text" };
import compactionContext from "./compaction-context.md" with { type: "text" };
import { framesOf, reinjectedOf } from "./preserved-data.ts";

/** What the application says is a developer's word; but only users may send images. */
export function customMessages(
  entry: Pick<CustomMessageEntry, "content" | "attribution" | "timestamp">,
): readonly Message[] {
  const timestamp = millisecondsOf(entry.timestamp);
  const texts = entry.content.filter((block) => block.type === "text");
  if (entry.attribution === "agent" && texts.length === entry.content.length) {
    return [{ role: "developer", content: texts, timestamp }];
  }
  return [{ role: "user", content: entry.content, timestamp }];
}

export function branchMessages(
  entry: Pick<BranchSummaryEntry, "summary" | "timestamp">,
): readonly Message[] {
  return [wrapped(branchContext, entry.summary, entry.timestamp)];
}

/** The summary, with the frames of a snapshot if it has any, and what was injected again. */
export function summaryMessages(
  entry: Pick<CompactionEntry, "summary" | "timestamp" | "preserveData">,
): readonly Message[] {
  const summary = wrapped(compactionContext, entry.summary, entry.timestamp);
  summary.content.push(...framesOf(entry));
  return [summary, ...reinjectedOf(entry)];
}

function wrapped(template: string, summary: string, timestamp: string): UserMessage {
  const text = template.trim().replace("{{summary}}", () => summary.trim());
  const content: (TextBlock | ImageBlock)[] = [{ type: "text", text }];
  return { role: "user", content, timestamp: millisecondsOf(timestamp) };
}

function millisecondsOf(timestamp: string): number {
  const milliseconds = Date.parse(timestamp);
  return Number.isNaN(milliseconds) ? 0 : milliseconds;
}
