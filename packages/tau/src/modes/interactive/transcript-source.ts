// The whole conversation for the viewer: every entry of the branch in full, laid out when it is
// looked at.

import { textOf, toolCallsOf, type Message, type ToolResultMessage } from "@tau/ai/message";
import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import { MarkdownView } from "@tau/tui/markdown/markdown-view";
import { paintedRows } from "@tau/tui/components/text-block";
import { layered, type Theme } from "@tau/tui/theme/theme";
import type { TranscriptEntry } from "../../session/context/transcript.ts";
import { ToolBlock } from "./blocks/tool-block.ts";
import { UserBlock } from "./blocks/user-block.ts";
import type { TranscriptSource } from "./screens/transcript-blocks.ts";
import type { Surface } from "./surface.ts";
import type { ToolView } from "./tool-view.ts";

export interface TranscriptSourceOptions {
  surface: Surface;
  cwd: string;
  viewOf(name: string): ToolView;
  highlighter?: CodeHighlighter;
}

export function transcriptSource(
  entries: readonly TranscriptEntry[],
  options: TranscriptSourceOptions,
): TranscriptSource {
  const results = new Map<string, ToolResultMessage>();
  for (const entry of entries) {
    if (entry.type === "message" && entry.message.role === "toolResult") {
      results.set(entry.message.toolCallId, entry.message);
    }
  }
  return {
    length: entries.length,
    block: (index, columns) => entryRows(entries[index]!, { ...options, results, columns }),
  };
}

interface Look extends TranscriptSourceOptions {
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
        ...markdownRows(entry.summary, look),
      ];
    case "branch_summary":
      return [
        ...noteRows("Another branch was left here:", theme, columns),
        ...markdownRows(entry.summary, look),
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
      rows.push(...markdownRows(block.text, look), "");
    }
  }
  for (const call of toolCallsOf(message)) rows.push(...callRows(call, look));
  while (rows.at(-1) === "") rows.pop();
  return rows;
}

function callRows(call: ReturnType<typeof toolCallsOf>[number], look: Look): readonly string[] {
  const { surface, cwd, viewOf, highlighter, results, columns } = look;
  const block = new ToolBlock({
    name: call.name,
    view: () => viewOf(call.name),
    theme: surface.theme,
    clock: surface.clock,
    cwd,
    detail: "full",
    ...(highlighter ? { highlighter } : {}),
  });
  block.written(call);
  const result = results.get(call.id);
  if (result) block.finish(result);
  else block.stop();
  return block.render(columns).rows;
}

function markdownRows(text: string, { surface, highlighter, columns }: Look): readonly string[] {
  const view = new MarkdownView({
    theme: surface.theme,
    hyperlinks: "off",
    ...(highlighter ? { highlighter } : {}),
  });
  view.append(text);
  view.finish();
  return view.render(columns).rows;
}

function noteRows(text: string, theme: Theme, columns: number): string[] {
  return text === "" ? [] : paintedRows(text, columns, theme.style("muted"));
}
