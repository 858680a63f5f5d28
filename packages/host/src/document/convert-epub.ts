// Electronic books: the chapters in the order of the book.

import { htmlToMarkdown } from "../web/html-page.ts";
import { TextCollector, type ConvertedDocument } from "./converted.ts";
import { corruptDocument } from "./document-error.ts";
import { localName, xmlEvents } from "./xml.ts";
import { openZipParts, resolvePart, type ZipParts } from "./zip-parts.ts";

const CONTAINER_PART = "META-INF/container.xml";

interface Book {
  title: string;
  author: string;
  chapters: string[];
}

export async function convertEpub(name: string, bytes: Uint8Array): Promise<ConvertedDocument> {
  const parts = await openZipParts(name, bytes);
  const book = await readBook(parts);
  if (!book) throw corruptDocument(name);
  const collector = new TextCollector();
  if (book.title !== "") collector.add(`# ${book.title}`);
  if (book.author !== "") collector.add(book.author);
  for (const chapter of book.chapters) {
    const html = await parts.text(chapter);
    if (html !== undefined) collector.add(await htmlToMarkdown(html));
    if (collector.isFull) break;
  }
  return collector.result();
}

async function readBook(parts: ZipParts): Promise<Book | undefined> {
  let root: string | undefined;
  for (const event of xmlEvents((await parts.text(CONTAINER_PART)) ?? "")) {
    if (event.type !== "open" || localName(event.name) !== "rootfile") continue;
    root ??= resolvePart("", event.attributes.get("full-path") ?? "");
  }
  const xml = root === undefined ? undefined : await parts.text(root);
  if (root === undefined || xml === undefined) return undefined;
  const directory = root.slice(0, root.lastIndexOf("/") + 1);
  const book: Book = { title: "", author: "", chapters: [] };
  const items = new Map<string, string>();
  let text = "";
  for (const event of xmlEvents(xml)) {
    if (event.type === "text") {
      text += event.text;
      continue;
    }
    const name = localName(event.name);
    if (event.type === "close") {
      if (name === "title") book.title ||= text.trim();
      if (name === "creator") book.author ||= text.trim();
      continue;
    }
    text = "";
    if (name === "item") {
      const part = resolvePart(directory, event.attributes.get("href") ?? "");
      if (part !== undefined) items.set(event.attributes.get("id") ?? "", part);
    } else if (name === "itemref") {
      const part = items.get(event.attributes.get("idref") ?? "");
      if (part !== undefined) book.chapters.push(part);
    }
  }
  return book;
}
