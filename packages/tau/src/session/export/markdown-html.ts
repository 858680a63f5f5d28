// Markdown as HTML for a page that trusts nobody: every tag is made here, every word of the text is
// escaped, markup in it too, and a link leads only where a link may lead. Pictures from elsewhere are
// links: a page that is opened asks nobody for anything.

import { safeUrl } from "@tau/tui/markdown/safe-link";
import { escapeHtml } from "./escape-html.ts";

/** Addresses of files are for the machine that the session ran on. */
const WEB = /^(?:https?:|mailto:)/i;

const wrapped =
  (tag: string) =>
  (children: string): string =>
    `<${tag}>${children}</${tag}>`;

const cell =
  (tag: "th" | "td") =>
  (children: string, meta?: { align?: "left" | "center" | "right" }): string => {
    const align = meta?.align === undefined ? "" : ` class="${meta.align}"`;
    return `<${tag}${align}>${children}</${tag}>`;
  };

const CALLBACKS: Bun.markdown.RenderCallbacks = {
  // All that is not made here comes through it, raw HTML as well.
  text: escapeHtml,
  html: (children) => `<p>${children}</p>`,
  // The page's own headings are above those of an answer.
  heading: (children, { level }) => {
    const tag = `h${Math.min(level + 2, 6)}`;
    return `<${tag}>${children}</${tag}>`;
  },
  paragraph: wrapped("p"),
  blockquote: wrapped("blockquote"),
  code: (children) => `<pre><code>${children}</code></pre>`,
  list: (children, { ordered, start = 1 }) =>
    ordered ? `<ol start="${Number(start)}">${children}</ol>` : `<ul>${children}</ul>`,
  listItem: (children, { checked }) => {
    const box = checked === undefined ? "" : checked ? "☑ " : "☐ ";
    return `<li>${box}${children}</li>`;
  },
  hr: () => "<hr>",
  table: wrapped("table"),
  thead: wrapped("thead"),
  tbody: wrapped("tbody"),
  tr: wrapped("tr"),
  th: cell("th"),
  td: cell("td"),
  strong: wrapped("strong"),
  emphasis: wrapped("em"),
  strikethrough: wrapped("del"),
  codespan: wrapped("code"),
  link: (children, { href }) => linkHtml(children, href),
  image: (children, { src }) => linkHtml(children === "" ? "image" : children, src),
};

/** A hundred quotes or lists in one another on one line: nobody reads it, and laying it out takes its square. */
const TOO_DEEP = /^[ \t]*(?:>[ \t]*|[*+-][ \t]+|\d{1,9}[.)][ \t]+){100}/m;

export function markdownHtml(text: string): string {
  if (TOO_DEEP.test(text)) return `<p class="text">${escapeHtml(text)}</p>`;
  return `<div class="markdown">${Bun.markdown.render(text, CALLBACKS)}</div>`;
}

function linkHtml(children: string, address: string): string {
  const url = WEB.test(address) ? safeUrl(address) : undefined;
  if (url === undefined) return children;
  return `<a href="${escapeHtml(url)}" rel="noopener noreferrer">${children}</a>`;
}
