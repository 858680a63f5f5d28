// The whole conversation for the viewer: every entry of the branch in full, laid out when it is
// looked at.

import { textOf, toolCallsOf, type Message, type ToolResultMessage } from "@tau/ai/message";
import { paintedRows } from "@tau/tui/components/text-block";
import { layered, type Theme } from "@tau/tui/theme/theme";
import type { TranscriptEntry } from "../../session/context/transcript.ts";
import { makeEndedCall, makeWholeMarkdown, type BlockPlace } from "./blocks/make-block.ts";
import { UserBlock } from "./blocks/user-block.ts";
import type { TranscriptSource } from "./screens/transcript-blocks.ts";

export function transcriptSource(
  entries: readonly TranscriptEntry[],
  place: BlockPlace,
): TranscriptSource {
  const results = new Map<string, ToolResultMessage>();
  for (const entry of entries) {
    if (entry.type === "message" && entry.message.role === "toolResult") {
      results.set(entry.message.toolCallId, entry.message);
    }
  }
  const { surface, cwd, highlighter } = place;
  const look = { surface, cwd, highlighter, results, viewOf: (name: string) => place.viewOf(name) };
  return {
    length: entries.length,
    block: (index, columns) => entryRows(entries[index]!, { ...look, columns }),
  };
}

interface Look extends BlockPlace {
  results: ReadonlyMap<string, ToolResultMessage>;
  columns: number;
}

function entryRows(entry: TranscriptEntry, look: Look): string[] {
  const rows = contentRows(entry, look);
  return rows.length === 0 ? rows : [...rows, ""];
}

function contentRows(entry: TranscriptEntry, look: Look): string[] {
  const { surface, columns } = look;
  const { theme } = surface;
  switch (entry.type) {
    case "compaction":
      return [
        ...noteRows("The conversation was summarised here:", theme, columns),
        ...makeWholeMarkdown(look, entry.summary, "off").render(columns).rows,
      ];
    case "branch_summary":
      return [
        ...noteRows("Another branch was left here:", theme, columns),
        ...makeWholeMarkdown(look, entry.summary, "off").render(columns).rows,
      ];
    case "custom_message":
      return noteRows(textOf(entry).trim(), theme, columns);
    case "message":
      return messageRows(entry.message, look);
  }
}

function messageRows(message: Message, look: Look): string[] {
  const { surface, columns } = look;
  const { theme } = surface;
  if (message.role === "user") {
    const block = new UserBlock({ text: textOf(message), theme, detail: "full" });
    return [...block.render(columns).rows];
  }
  if (message.role !== "assistant") return [];
  const rows: string[] = [];
  for (const block of message.content) {
    if (block.type === "thinking" && block.text.trim() !== "") {
      const paint = layered(theme.attribute("italic"), theme.style("thinkingText"));
      rows.push(...paintedRows(block.text.trim(), columns, paint), "");
    } else if (block.type === "text" && block.text.trim() !== "") {
      rows.push(...makeWholeMarkdown(look, block.text, "off").render(columns).rows, "");
    }
  }
  for (const call of toolCallsOf(message)) {
    const result = look.results.get(call.id);
    rows.push(...makeEndedCall(look, call, { result, detail: "full" }).render(columns).rows);
  }
  while (rows.at(-1) === "") rows.pop();
  return rows;
}

function noteRows(text: string, theme: Theme, columns: number): string[] {
  return text === "" ? [] : paintedRows(text, columns, theme.style("muted"));
}
