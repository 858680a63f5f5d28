// One pass over a page that takes its title and its links to other forms of itself, and makes
// all links absolute, so that whoever reads the text can follow them.

import { decodeEntities } from "../document/xml.ts";

export interface HtmlFacts {
  html: string;
  title: string;
  markdownLinks: string[];
  feedLinks: string[];
}

const TITLE_CHARS = 300;
/** A page has one or two; more are made to keep us busy. */
const MAX_LINKS = 5;

export async function parseHtml(html: string, url: string): Promise<HtmlFacts> {
  let base = url;
  let title = "";
  const markdownLinks: string[] = [];
  const feedLinks: string[] = [];
  const absolute = (link: string): string | undefined => {
    // Attributes come as they are written.
    const text = decodeEntities(link.trim());
    return URL.canParse(text, base) ? new URL(text, base).href : undefined;
  };
  const rewriter = new HTMLRewriter()
    .on("base[href]", {
      element(element) {
        base = absolute(element.getAttribute("href")!) ?? base;
      },
    })
    // An icon may have a title too; the first one counts.
    .on("head title", {
      text({ text }) {
        if (title.length < TITLE_CHARS) title += text;
      },
    })
    .on('link[rel~="alternate"][href]', {
      element(element) {
        const type = element.getAttribute("type")?.toLowerCase() ?? "";
        const link = absolute(element.getAttribute("href")!);
        const list = /markdown/.test(type) ? markdownLinks : /rss|atom/.test(type) ? feedLinks : [];
        if (link !== undefined && list.length < MAX_LINKS) list.push(link);
      },
    })
    .on("a[href]", {
      element(element) {
        const href = element.getAttribute("href")!;
        const link = href.startsWith("#") ? undefined : absolute(href);
        if (link !== undefined) element.setAttribute("href", link);
      },
    })
    .on("img[src]", {
      element(element) {
        const source = element.getAttribute("src")!;
        // Pictures within the page are nothing to read and very long.
        if (/^data:/i.test(source)) element.setAttribute("src", "data:…");
        else element.setAttribute("src", absolute(source) ?? source);
      },
    });
  const rewritten = await rewriter.transform(new Response(html)).text();
  return {
    html: rewritten,
    title: decodeEntities(title).replace(/\s+/g, " ").trim().slice(0, TITLE_CHARS),
    markdownLinks,
    feedLinks,
  };
}
