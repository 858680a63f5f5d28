// A conversation as one HTML file that needs nothing else: no script, no network, every
// word escaped. It opens offline, and in a browser that trusts nobody.

import type { ImageBlock, TextBlock } from "@tau/ai/message";
import { type Block, type ToolWork, wholeText } from "../projection/block.ts";
import { consentWords } from "../projection/consent-words.ts";
import { summaryWords } from "../projection/summary-words.ts";
import { escapeHtml } from "./escape-html.ts";
import { blocksOf, type ExportedSession } from "./exported-session.ts";
import { markdownHtml } from "./markdown-html.ts";
import { thoughtWords } from "./thought-words.ts";
import { noRemarks, workText, type RemarksOn } from "./work-text.ts";
import style from "./export.css" with { type: "text" };

export function exportHtml(session: ExportedSession, remarks: RemarksOn = noRemarks): string {
  const { header, title } = session;
  const name = escapeHtml(title ?? "Session");
  const body = bodyHtml(blocksOf(session), remarks);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${name}</title>
<style>${style}</style>
</head>
<body>
<header><h1>${name}</h1><p>${escapeHtml(header.timestamp)} · ${escapeHtml(header.cwd)}</p></header>
<main>
${body}
</main>
</body>
</html>
`;
}

/** Parts of one reply are one section. */
function bodyHtml(blocks: readonly Block[], remarks: RemarksOn): string {
  const sections: string[] = [];
  for (let at = 0; at < blocks.length;) {
    const block = blocks[at]!;
    const reply = "reply" in block ? block.reply : undefined;
    if (reply === undefined) {
      sections.push(blockHtml(block, remarks));
      at += 1;
      continue;
    }
    const parts: string[] = [];
    const { model = "" } = block as { model?: string };
    for (
      let next = blocks[at];
      next && "reply" in next && next.reply === reply;
      next = blocks[at]
    ) {
      parts.push(blockHtml(next, remarks));
      at += 1;
    }
    sections.push(section("assistant", model, parts.join("")));
  }
  return sections.join("\n");
}

function blockHtml(block: Block, remarks: RemarksOn): string {
  switch (block.kind) {
    case "user":
      return section("user", "you", textHtml(wholeText(block)) + contentHtml(block.pictures));
    case "command":
      return section("user", "you", `<pre>${escapeHtml(block.line)}</pre>`);
    case "answer":
      return markdownHtml(block.text);
    case "thinking": {
      const words = escapeHtml(thoughtWords(block));
      return `<details><summary>${words}</summary>${textHtml(block.text)}</details>`;
    }
    case "call": {
      const { consent } = block;
      const said = consent ? `<p class="said">${escapeHtml(consentWords(consent))}</p>` : "";
      return workHtml(block, { told: remarks(block) }) + said;
    }
    case "own_run":
      return section("user", "you", workHtml(block, { told: remarks(block), sign: block.sign }));
    case "note":
      return section("note", block.tone === "error" ? "failed" : "note", noteHtml(block.text));
    case "summary": {
      const words = `<p class="said">${escapeHtml(summaryWords(block))}</p>`;
      return section("note", "summary", words + markdownHtml(block.text));
    }
  }
}

function workHtml(
  work: ToolWork,
  { told, sign }: { told: readonly string[]; sign?: string },
): string {
  const { text } = workText(work, sign);
  const head = [work.name, ...told].map((words) => escapeHtml(words)).join(" · ");
  const call = `<details open><summary>${head}</summary><pre>${escapeHtml(text)}</pre></details>`;
  if (!work.result) return call;
  const kind = work.result.isError ? "result failed" : "result";
  const content = contentHtml(work.result.content);
  // What people ran themselves they ran to see what comes out.
  const open = sign === undefined ? "" : " open";
  return `${call}<details class="${kind}"${open}><summary>result</summary>${content}</details>`;
}

function textHtml(text: string): string {
  return `<p class="text">${escapeHtml(text)}</p>`;
}

/** A table or a list keeps its columns. */
function noteHtml(text: string): string {
  return text.includes("\n") ? `<pre>${escapeHtml(text)}</pre>` : textHtml(text);
}

function section(kind: string, who: string, body: string): string {
  return `<section class="${kind}"><h2>${escapeHtml(who)}</h2>${body}</section>`;
}

/** Only what is an image of a known kind becomes one. */
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

function contentHtml(content: readonly (TextBlock | ImageBlock)[]): string {
  return content
    .map((block) => {
      if (block.type === "text") return `<p class="text">${escapeHtml(block.text)}</p>`;
      if (!IMAGE_TYPES.has(block.mimeType) || !/^[A-Za-z0-9+/=]*$/.test(block.data)) {
        return '<p class="text">(image)</p>';
      }
      return `<img alt="" src="data:${block.mimeType};base64,${block.data}">`;
    })
    .join("");
}
