// HTML to Markdown, and what a page says of itself: its title and its other forms.

import { parseHtml } from "./html-facts.ts";

/** Nobody reads more of one page; converting it takes a tenth of a second. */
const MAX_HTML_CHARS = 4 * 1024 * 1024;
/** What is on the page for programs, for moving around and for the site, not for reading. */
const UNREAD = [
  "head",
  "title",
  "script",
  "style",
  "noscript",
  "template",
  "nav",
  "footer",
  "aside",
  "form",
  "button",
  "input",
  "select",
  "textarea",
  "iframe",
  "object",
  "embed",
  "svg",
  "canvas",
  "dialog",
];

export interface HtmlPage {
  title: string;
  markdown: string;
  /** Absolute addresses of the same page as Markdown, and of its feeds. */
  markdownLinks: string[];
  feedLinks: string[];
  notes: string[];
}

export async function readHtml(html: string, url: string): Promise<HtmlPage> {
  const notes: string[] = [];
  if (html.length > MAX_HTML_CHARS) {
    notes.push(`The page is longer than ${MAX_HTML_CHARS} characters; the rest was not converted.`);
  }
  const facts = await parseHtml(html.slice(0, MAX_HTML_CHARS), url);
  const body = await htmlToMarkdown(facts.html);
  const hasHeading = /^#{1,2} /m.test(body.slice(0, 2000));
  const markdown = facts.title === "" || hasHeading ? body : `# ${facts.title}\n\n${body}`;
  return {
    title: facts.title,
    markdown,
    markdownLinks: facts.markdownLinks,
    feedLinks: facts.feedLinks,
    notes,
  };
}

let engine: Promise<typeof import("mdream/wasm")> | undefined;

/** Also for documents that are turned into HTML on their way. */
export async function htmlToMarkdown(html: string): Promise<string> {
  engine ??= loadEngine();
  const { htmlToMarkdown: convert } = await engine;
  const clean = {
    fragments: true,
    emptyLinks: true,
    redundantLinks: true,
    selfLinkHeadings: true,
    emptyImages: true,
    emptyLinkText: true,
  };
  const text = convert(html, { clean, plugins: { filter: { exclude: UNREAD } } });
  return text
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** The portable build: the same on every platform, and part of a program that is one file. */
async function loadEngine(): Promise<typeof import("mdream/wasm")> {
  const [module, file] = await Promise.all([
    import("mdream/wasm"),
    import("mdream/wasm/mdream_edge_bg.wasm", { with: { type: "file" } }),
  ]);
  module.initSync({ module: await Bun.file(file.default).bytes() });
  return module;
}
