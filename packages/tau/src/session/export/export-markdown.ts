// A conversation as Markdown, for reading and for sending to somebody.

import type { ImageBlock, TextBlock } from "@tau/ai/message";
import { type Block, type ToolWork, wholeText } from "../projection/block.ts";
import { consentWords } from "../projection/consent-words.ts";
import { blocksOf, type ExportedSession } from "./exported-session.ts";
import { fence } from "./fence.ts";

export function exportMarkdown(session: ExportedSession): string {
  const { header, title } = session;
  const parts = [`# ${title ?? "Session"}`, `${header.timestamp} · ${header.cwd}`];
  let reply: string | undefined;
  for (const block of blocksOf(session)) {
    const spoken = "reply" in block ? block : undefined;
    if (spoken && spoken.reply !== reply) parts.push(`## ${spoken.model}`);
    reply = spoken?.reply;
    parts.push(blockMarkdown(block));
  }
  return `${parts.join("\n\n")}\n`;
}

function blockMarkdown(block: Block): string {
  switch (block.kind) {
    case "user": {
      const pictures = block.pictures.map(() => "*(image)*");
      return ["## You", wholeText(block), ...pictures].join("\n\n");
    }
    case "answer":
      return block.text.trim();
    case "thinking":
      return quote(block.text.trim());
    case "call": {
      const { consent } = block;
      const said = consent ? [`*${consentWords(consent)}.*`] : [];
      return [workMarkdown(block, block.name), ...said].join("\n\n");
    }
    case "own_run":
      return `## You\n\n${workMarkdown(block, block.sign)}`;
    case "note":
      return `*${block.text}*`;
    case "summary": {
      const isBranch = block.of === "branch";
      const heading = isBranch
        ? "Another attempt, summarised:"
        : "Summary of the conversation so far:";
      return `${isBranch ? "" : "---\n\n"}*${heading}*\n\n${quote(block.text)}`;
    }
  }
}

function workMarkdown(work: ToolWork, sign: string): string {
  const call = fence(JSON.stringify(work.arguments, null, 2), `json ${sign}`);
  if (!work.result) return call;
  const state = work.result.isError ? " (failed)" : "";
  return `${call}\n\n**${work.name}**${state}\n\n${fence(contentText(work.result.content))}`;
}

function contentText(content: readonly (TextBlock | ImageBlock)[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "*(image)*")).join("\n\n");
}

function quote(text: string): string {
  return text.replace(/^/gm, "> ");
}
