// A conversation as Markdown, for reading and for sending to somebody.

import type { ImageBlock, TextBlock } from "@tau/ai/message";
import { type Block, type ToolWork, wholeText } from "../projection/block.ts";
import { consentWords } from "../projection/consent-words.ts";
import { blocksOf, type ExportedSession } from "./exported-session.ts";
import { summaryWords } from "../projection/summary-words.ts";
import { fence } from "./fence.ts";
import { thoughtWords } from "./thought-words.ts";
import { noRemarks, workText, type RemarksOn } from "./work-text.ts";

export function exportMarkdown(session: ExportedSession, remarks: RemarksOn = noRemarks): string {
  const { header, title } = session;
  const parts = [`# ${title ?? "Session"}`, `${header.timestamp} · ${header.cwd}`];
  let reply: string | undefined;
  for (const block of blocksOf(session)) {
    const spoken = "reply" in block ? block : undefined;
    if (spoken && spoken.reply !== reply) parts.push(`## ${spoken.model}`);
    reply = spoken?.reply;
    parts.push(blockMarkdown(block, remarks));
  }
  return `${parts.join("\n\n")}\n`;
}

function blockMarkdown(block: Block, remarks: RemarksOn): string {
  switch (block.kind) {
    case "user": {
      const pictures = block.pictures.map(() => "*(image)*");
      return ["## You", wholeText(block), ...pictures].join("\n\n");
    }
    case "command":
      return `## You\n\n${fence(block.line)}`;
    case "answer":
      return block.text.trim();
    case "thinking":
      return `*${thoughtWords(block)}*\n\n${quote(block.text.trim())}`;
    case "call": {
      const { consent } = block;
      const said = consent ? [`*${consentWords(consent)}.*`] : [];
      return [workMarkdown(block, { told: remarks(block) }), ...said].join("\n\n");
    }
    case "own_run":
      return `## You\n\n${workMarkdown(block, { told: remarks(block), sign: block.sign })}`;
    case "note":
      // A table or a list keeps its rows.
      return block.text.includes("\n") ? fence(block.text) : `*${block.text}*`;
    case "summary": {
      const isBranch = block.of === "branch";
      return `${isBranch ? "" : "---\n\n"}*${summaryWords(block)}*\n\n${quote(block.text)}`;
    }
  }
}

function workMarkdown(
  work: ToolWork,
  { told, sign }: { told: readonly string[]; sign?: string },
): string {
  const { text, language } = workText(work, sign);
  const call = fence(text, language === "json" ? `json ${work.name}` : language);
  const isFailed = work.result?.isError === true;
  const state = [...(isFailed ? ["failed"] : []), ...told].join(", ");
  const head = `**${work.name}**${state === "" ? "" : ` (${state})`}`;
  if (!work.result) return state === "" ? call : `${call}\n\n${head}`;
  return `${call}\n\n${head}\n\n${fence(contentText(work.result.content))}`;
}

function contentText(content: readonly (TextBlock | ImageBlock)[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "*(image)*")).join("\n\n");
}

function quote(text: string): string {
  return text.replace(/^/gm, "> ");
}
