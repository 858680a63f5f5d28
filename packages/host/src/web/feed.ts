// RSS and Atom feeds as a readable list of their entries.

import { localName, xmlEvents } from "../document/xml.ts";

interface FeedEntry {
  title: string;
  link: string;
  date: string;
  summary: string;
}

/** As many as feeds usually have; the rest is counted. */
const MAX_ENTRIES = 50;
const SUMMARY_CHARS = 400;
const ENTRY = /^(?:item|entry)$/;
const DATES: ReadonlySet<string> = new Set(["pubdate", "published", "updated", "date"]);
const SUMMARIES: ReadonlySet<string> = new Set(["description", "summary", "content", "encoded"]);

export function isFeed(text: string, contentType: string): boolean {
  if (/\b(?:rss|atom)\+xml\b/i.test(contentType)) return true;
  if (!/\bxml\b/i.test(contentType)) return false;
  return /^(?:\s|<\?[^>]*>|<!--[\s\S]*?-->)*<(?:rss|feed|rdf:RDF)\b/i.test(text.slice(0, 4096));
}

/** Undefined where it has neither a title nor an entry: then it is some other XML. */
export function renderFeed(xml: string): string | undefined {
  const { title, entries, total } = readFeed(xml);
  if (title === "" && total === 0) return undefined;
  const lines = [`# ${title || "Feed"}`];
  for (const { title: name, link, date, summary } of entries) {
    lines.push("", `## ${name || link || "(no title)"}`);
    if (link !== "") lines.push(link);
    if (date !== "") lines.push(date);
    if (summary !== "") lines.push("", summary);
  }
  if (total > entries.length) lines.push("", `[${total - entries.length} more entries]`);
  return lines.join("\n");
}

function readFeed(xml: string): { title: string; entries: FeedEntry[]; total: number } {
  const feed = { title: "", entries: [] as FeedEntry[], total: 0 };
  const path: string[] = [];
  let entry: FeedEntry | undefined;
  let text = "";
  for (const event of xmlEvents(xml)) {
    if (event.type === "text") {
      text += event.text;
      continue;
    }
    const name = localName(event.name).toLowerCase();
    if (event.type === "open") {
      path.push(name);
      // Titles in XHTML have elements of their own; their text goes on.
      if (!isInText(path)) text = "";
      if (ENTRY.test(name)) entry = { title: "", link: "", date: "", summary: "" };
      const href = event.attributes.get("href");
      const isMain = (event.attributes.get("rel") ?? "alternate") === "alternate";
      if (name === "link" && entry && href !== undefined && isMain) entry.link ||= href;
      continue;
    }
    path.pop();
    if (isInText(path)) continue;
    if (ENTRY.test(name) && entry) {
      feed.total++;
      if (feed.entries.length < MAX_ENTRIES) feed.entries.push(entry);
      entry = undefined;
    } else if (entry) take(entry, name, text);
    else if (name === "title" && path.length <= 2) feed.title ||= plain(text);
  }
  return feed;
}

function isInText(path: readonly string[]): boolean {
  return path.slice(0, -1).some((name) => name === "title" || SUMMARIES.has(name));
}

function take(entry: FeedEntry, name: string, text: string): void {
  if (name === "title") entry.title ||= plain(text);
  else if (name === "link") entry.link ||= text.trim();
  else if (DATES.has(name)) entry.date ||= plain(text);
  else if (SUMMARIES.has(name)) entry.summary ||= shorten(plain(text));
}

/** Summaries are often HTML; a list needs only their words. */
function plain(text: string): string {
  let words = "";
  for (const event of xmlEvents(text)) words += event.type === "text" ? event.text : " ";
  return words.replace(/\s+/g, " ").trim();
}

function shorten(text: string): string {
  return text.length <= SUMMARY_CHARS ? text : `${text.slice(0, SUMMARY_CHARS).toWellFormed()}…`;
}
