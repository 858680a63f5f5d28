// A conversation as Markdown, for reading and for sending to somebody.

import type { ImageBlock, TextBlock } from "@tau/ai/message";
import { fence } from "./fence.ts";
import type { ExportedSession } from "./exported-session.ts";
import type { SessionEntry } from "../entry.ts";

export function exportMarkdown({ header, title, entries }: ExportedSession): string {
  const parts = [`# ${title ?? "Session"}`, `${header.timestamp} · ${header.cwd}`];
  for (const entry of entries) {
    const part = entryMarkdown(entry);
    if (part !== "") parts.push(part);
  }
  return `${parts.join("\n\n")}\n`;
}

function entryMarkdown(entry: SessionEntry): string {
  switch (entry.type) {
    case "compaction":
      return `---\n\n*What came before was summarised:*\n\n${quote(entry.summary)}`;
    case "branch_summary":
      return `*Another attempt, summarised:*\n\n${quote(entry.summary)}`;
    case "custom_message":
      return entry.display ? quote(contentText(entry.content)) : "";
    case "message":
      return messageMarkdown(entry);
    default:
      return "";
  }
}

function messageMarkdown({ message }: Extract<SessionEntry, { type: "message" }>): string {
  switch (message.role) {
    case "user":
      return `## You\n\n${contentText(message.content)}`;
    case "developer":
      return "";
    case "toolResult": {
      const state = message.isError ? " (failed)" : "";
      return `**${message.toolName}**${state}\n\n${fence(contentText(message.content))}`;
    }
    case "assistant": {
      const parts = message.content.map((block) => {
        if (block.type === "text") return block.text.trim();
        if (block.type === "thinking") return block.text ? quote(block.text.trim()) : "";
        return fence(JSON.stringify(block.arguments, null, 2), `json ${block.name}`);
      });
      if (message.error) parts.push(`*${message.error.message}*`);
      return [`## ${message.provider}/${message.model}`, ...parts.filter(Boolean)].join("\n\n");
    }
  }
}

function contentText(content: readonly (TextBlock | ImageBlock)[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "*(image)*")).join("\n\n");
}

function quote(text: string): string {
  return text.replace(/^/gm, "> ");
}
