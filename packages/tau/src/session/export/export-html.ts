// A conversation as one HTML file that needs nothing else: no script, no network, every
// word escaped. It opens offline, and in a browser that trusts nobody.

import type { ImageBlock, TextBlock } from "@tau/ai/message";
import { type Block, type ToolWork, wholeText } from "../projection/block.ts";
import { consentWords } from "../projection/consent-words.ts";
import { blocksOf, type ExportedSession } from "./exported-session.ts";
import style from "./export.css" with { type: "text" };

export function exportHtml(session: ExportedSession): string {
  const { header, title } = session;
  const name = escapeHtml(title ?? "Session");
  const body = bodyHtml(blocksOf(session));
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

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Parts of one reply are one section. */
function bodyHtml(blocks: readonly Block[]): string {
  const sections: string[] = [];
  for (let at = 0; at < blocks.length;) {
    const block = blocks[at]!;
    const reply = "reply" in block ? block.reply : undefined;
    if (reply === undefined) {
      sections.push(blockHtml(block));
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
      parts.push(blockHtml(next));
      at += 1;
    }
    sections.push(section("assistant", model, parts.join("")));
  }
  return sections.join("\n");
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case "user":
      return section("user", "you", textHtml(wholeText(block)) + contentHtml(block.pictures));
    case "command":
      return section("user", "you", `<pre>${escapeHtml(block.line)}</pre>`);
    case "answer":
      return textHtml(block.text);
    case "thinking":
      return `<details><summary>thinking</summary>${textHtml(block.text)}</details>`;
    case "call": {
      const { consent } = block;
      const said = consent ? `<p class="said">${escapeHtml(consentWords(consent))}</p>` : "";
      return workHtml(block, block.name) + said;
    }
    case "own_run":
      return section("user", `you ${block.sign}`, workHtml(block, block.name));
    case "note":
      return section("note", block.tone === "error" ? "failed" : "note", textHtml(block.text));
    case "summary": {
      const who = block.of === "branch" ? "another attempt" : "summarised";
      return section("note", who, textHtml(block.text));
    }
  }
}

function workHtml(work: ToolWork, name: string): string {
  const args = escapeHtml(JSON.stringify(work.arguments, null, 2));
  const call = `<details open><summary>${escapeHtml(name)}</summary><pre>${args}</pre></details>`;
  if (!work.result) return call;
  const kind = work.result.isError ? "result failed" : "result";
  const text = contentHtml(work.result.content);
  return `${call}<details class="${kind}"><summary>result</summary>${text}</details>`;
}

function textHtml(text: string): string {
  return `<p class="text">${escapeHtml(text)}</p>`;
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
