// Reads a URL: fetches it and makes text of it in the way that suits what it is. What is no
// text comes back as bytes, for whoever knows documents and images.

import { decodeText, isBinary } from "./charset.ts";
import { isFeed, renderFeed } from "./feed.ts";
import { fetchUrl, type FetchedUrl, type FetchOptions } from "./fetch-url.ts";
import { readHtml, type HtmlPage } from "./html-page.ts";
import { WebError } from "./web-error.ts";

export type PageMethod =
  | "json"
  | "feed"
  | "text"
  | "html"
  /** The server gave Markdown when asked for it. */
  | "content-negotiation"
  /** The page named its Markdown form. */
  | "alternate-markdown"
  /** The same address with .md behind it. */
  | "md-suffix"
  /** The page had nothing to read, the site's summary for models has. */
  | "llms.txt"
  | "raw"
  | "bytes"
  /** The server's answer was no success; its text says why. */
  | "failed";

export interface WebPage {
  url: string;
  finalUrl: string;
  status: number;
  contentType: string;
  method: PageMethod;
  title?: string;
  notes: string[];
  /** One of the two is there. */
  text?: string;
  bytes?: Uint8Array;
}

export interface ReadPageOptions extends FetchOptions {
  /** The body as it is, without looking for better forms. */
  isRaw?: boolean;
}

const ACCEPT =
  "text/markdown, text/plain;q=0.9, text/html;q=0.8, application/json;q=0.8, */*;q=0.5";
/** Looking for a better form must not take as long as the page itself. */
const PROBE_DEADLINE_MS = 6000;
const PROBE_BYTES = 2 * 1024 * 1024;
/** A page with fewer characters is a shell that a script would fill. */
const THIN_CHARS = 200;
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.+-]*(?:json|xml|yaml|javascript|ecmascript|toml|sql|graphql|x-sh|x-ndjson))\b|image\/svg)/i;

/** `www.` and a bare address are taken for https. */
export function parseWebUrl(text: string): URL {
  const trimmed = text.trim();
  const full = /^www\./i.test(trimmed) ? `https://${trimmed}` : trimmed;
  if (URL.canParse(full)) return new URL(full);
  throw new WebError(
    "bad_url",
    `${JSON.stringify(trimmed.slice(0, 200))} is not a web address: write it as https://host/path.`,
  );
}

export async function readPage(address: string, options: ReadPageOptions = {}): Promise<WebPage> {
  const url = parseWebUrl(address);
  const fetched = await fetchUrl(url, options.isRaw ? "*/*" : ACCEPT, options);
  const page = await pageOf(fetched, { ...options, asked: url });
  return {
    url: url.href,
    finalUrl: fetched.finalUrl,
    status: fetched.status,
    contentType: fetched.contentType,
    ...page,
    notes: [...fetched.notes, ...page.notes],
  };
}

type PageContent = Pick<WebPage, "method" | "notes" | "text" | "bytes" | "title"> & {
  finalUrl?: string;
};

async function pageOf(fetched: FetchedUrl, options: ReadPageOptions): Promise<PageContent> {
  const { contentType, bytes, status, finalUrl } = fetched;
  const isText = TEXT_TYPE.test(contentType) || (contentType === "" && !isBinary(bytes));
  if (status < 200 || status >= 300) return failed(fetched, isText);
  if (isBinary(bytes) && !/utf-?16/i.test(contentType))
    return { method: "bytes", bytes, notes: [] };
  if (!isText && !/^application\/octet-stream/i.test(contentType)) {
    return { method: "bytes", bytes, notes: [] };
  }
  const text = decodeText(bytes, contentType);
  if (options.isRaw) return { method: "raw", text, notes: [] };
  if (/^text\/(?:x-)?markdown/i.test(contentType)) {
    const isNamed = /\.(?:md|markdown|txt)$/i.test(new URL(finalUrl).pathname);
    return { method: isNamed ? "text" : "content-negotiation", text, notes: [] };
  }
  if (/^[\w/.+-]*\bjson\b/i.test(contentType)) return jsonPage(text);
  if (isFeed(text, contentType)) {
    const feed = renderFeed(text);
    if (feed !== undefined) return { method: "feed", text: feed, notes: [] };
  }
  return isHtml(text, contentType)
    ? htmlPage(text, fetched, options)
    : { method: "text", text, notes: [] };
}

async function failed(fetched: FetchedUrl, isText: boolean): Promise<PageContent> {
  const { status, statusText, bytes, contentType, finalUrl } = fetched;
  const note = `The server answered ${status}${statusText === "" ? "" : ` ${statusText}`}.`;
  const text = isText ? decodeText(bytes, contentType) : "";
  const shown = isHtml(text, contentType) ? (await readHtml(text, finalUrl)).markdown : text;
  return { method: "failed", text: shown, notes: [note] };
}

function jsonPage(text: string): PageContent {
  try {
    return { method: "json", text: JSON.stringify(JSON.parse(text), null, 2), notes: [] };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { method: "text", text, notes: ["It is said to be JSON and is not; shown as it is."] };
  }
}

function isHtml(text: string, contentType: string): boolean {
  if (/\b(?:html|xhtml\+xml)\b/i.test(contentType)) return true;
  if (contentType !== "" && !/octet-stream/i.test(contentType)) return false;
  return /^\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|body)\b/i.test(
    text.slice(0, 4096),
  );
}

async function htmlPage(
  html: string,
  fetched: FetchedUrl,
  options: ReadPageOptions,
): Promise<PageContent> {
  const page = await readHtml(html, fetched.finalUrl);
  const title = page.title || undefined;
  const better = await betterForm(page, fetched.finalUrl, options);
  if (better) return { ...better, title: better.title ?? title };
  if (wordsOf(page.markdown) >= THIN_CHARS) return htmlContent(page);
  const fuller = await fullerForm(page, fetched.finalUrl, options);
  return fuller ? { ...fuller, title: fuller.title ?? title } : htmlContent(page);
}

function htmlContent(page: HtmlPage): PageContent {
  const isEmpty = wordsOf(page.markdown) === 0;
  const notes = isEmpty
    ? [...page.notes, "The page has no text of its own: it is filled by scripts, so use a browser."]
    : page.notes;
  return { method: "html", text: page.markdown, title: page.title || undefined, notes };
}

function wordsOf(markdown: string): number {
  return markdown.replace(/\s+/g, " ").trim().length;
}

/** The same page in Markdown, as its author wrote it. */
async function betterForm(
  page: HtmlPage,
  finalUrl: string,
  options: ReadPageOptions,
): Promise<PageContent | undefined> {
  for (const link of page.markdownLinks) {
    const text = await probe(link, options);
    if (text !== undefined) {
      return { method: "alternate-markdown", text, notes: [`Read from ${link}.`] };
    }
  }
  const suffixed = withSuffix(finalUrl);
  const text = suffixed === undefined ? undefined : await probe(suffixed, options);
  if (text === undefined) return undefined;
  return { method: "md-suffix", text, notes: [`Read from ${suffixed}.`] };
}

/** For a page that has next to nothing to read. */
async function fullerForm(
  page: HtmlPage,
  finalUrl: string,
  options: ReadPageOptions,
): Promise<PageContent | undefined> {
  for (const link of page.feedLinks) {
    const xml = await probe(link, options, { isFeedWanted: true });
    const text = xml === undefined ? undefined : renderFeed(xml);
    if (text !== undefined) return { method: "feed", text, notes: [`Read from ${link}.`] };
  }
  const link = new URL("/llms.txt", finalUrl).href;
  const text = await probe(link, options);
  return text === undefined
    ? undefined
    : { method: "llms.txt", text, notes: [`The page has little text; read from ${link}.`] };
}

function withSuffix(address: string): string | undefined {
  const url = new URL(address);
  if (url.pathname === "/" || url.search !== "") return undefined;
  const path = url.pathname.replace(/\/$/, "");
  const last = path.slice(path.lastIndexOf("/") + 1);
  if (/\.html?$/i.test(last)) url.pathname = path.replace(/\.html?$/i, ".md");
  else if (last.includes(".")) return undefined;
  else url.pathname = `${path}.md`;
  return url.href;
}

/** Undefined for whatever is not there, not text, or another page of HTML. */
async function probe(
  link: string,
  options: ReadPageOptions,
  { isFeedWanted }: { isFeedWanted: boolean } = { isFeedWanted: false },
): Promise<string | undefined> {
  try {
    const found = await fetchUrl(
      new URL(link),
      isFeedWanted ? "*/*" : "text/markdown, text/plain",
      {
        ...options,
        deadlineMs: Math.min(PROBE_DEADLINE_MS, options.deadlineMs ?? PROBE_DEADLINE_MS),
        maxBytes: PROBE_BYTES,
      },
    );
    if (found.status !== 200 || isBinary(found.bytes)) return undefined;
    const text = decodeText(found.bytes, found.contentType);
    if (isFeedWanted) return isFeed(text, found.contentType) ? text : undefined;
    const isPlain = /^text\/(?:(?:x-)?markdown|plain)/i.test(found.contentType);
    return isPlain && text.trim() !== "" && !/^\s*</.test(text) ? text : undefined;
  } catch (error) {
    // It was only a try: the page itself is at hand.
    if (error instanceof WebError) return undefined;
    throw error;
  }
}
