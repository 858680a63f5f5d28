// A conversation as one HTML file that needs nothing else: no script, no network, every
// word escaped. It opens offline, and in a browser that trusts nobody.

import type { ImageBlock, TextBlock } from "@tau/ai/message";
import type { SessionEntry } from "../entry.ts";
import type { ExportedSession } from "./exported-session.ts";
import style from "./export.css" with { type: "text" };

export function exportHtml({ header, title, entries }: ExportedSession): string {
  const name = escapeHtml(title ?? "Session");
  const body = entries.map(entryHtml).filter(Boolean).join("\n");
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

function entryHtml(entry: SessionEntry): string {
  switch (entry.type) {
    case "compaction":
      return section("note", "summarised", `<p class="text">${escapeHtml(entry.summary)}</p>`);
    case "branch_summary":
      return section("note", "another attempt", `<p class="text">${escapeHtml(entry.summary)}</p>`);
    case "custom_message":
      return entry.display ? section("note", entry.customType, contentHtml(entry.content)) : "";
    case "message":
      return messageHtml(entry);
    default:
      return "";
  }
}

function messageHtml({ message }: Extract<SessionEntry, { type: "message" }>): string {
  switch (message.role) {
    case "user":
      return section("user", "you", contentHtml(message.content));
    case "developer":
      return "";
    case "toolResult": {
      const kind = message.isError ? "result failed" : "result";
      const text = contentHtml(message.content);
      return section(kind, message.toolName, `<details><summary>result</summary>${text}</details>`);
    }
    case "assistant": {
      const parts = message.content.map((block) => {
        if (block.type === "text") return `<p class="text">${escapeHtml(block.text)}</p>`;
        if (block.type === "thinking") {
          return `<details><summary>thinking</summary><p class="text">${escapeHtml(block.text)}</p></details>`;
        }
        const args = escapeHtml(JSON.stringify(block.arguments, null, 2));
        return `<details open><summary>${escapeHtml(block.name)}</summary><pre>${args}</pre></details>`;
      });
      if (message.error) parts.push(`<p class="error">${escapeHtml(message.error.message)}</p>`);
      return section("assistant", `${message.provider}/${message.model}`, parts.join(""));
    }
  }
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
