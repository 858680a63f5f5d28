// The answer where the thing to explain turned out to be a folder.

import { bullets, count, inlineCode, paragraphs, plainText, prose } from "../markdown.ts";
import { looksLikePath } from "../paths.ts";
import type { ListedEntry } from "../tool-text.ts";

const SHOWN_ENTRIES = 24;

/** A read does not say what it read; a listing is a column of names, one of them a folder. */
export function isListing(path: string, text: string): boolean {
  if (path.endsWith("/")) return true;
  if (/[^/]\.[^/.]+$/.test(path)) return false;
  const lines = text.trim().split("\n");
  if (lines.some((line) => /\s/.test(line.trim()))) return false;
  return lines.some((line) => /\w\/$/.test(line)) || lines.every(looksLikePath);
}

export function describeFolder(path: string, entries: readonly ListedEntry[]): string {
  const folders = entries.filter((entry) => entry.isDirectory);
  const facts = [count(folders.length, "folder"), count(entries.length - folders.length, "file")];
  const names = entries.map((entry) =>
    inlineCode(entry.isDirectory ? `${entry.name}/` : entry.name),
  );
  const more = names.length - SHOWN_ENTRIES;
  const file = entries.find((entry) => !entry.isDirectory)?.name;
  return paragraphs(
    `**${plainText(path)}** · ${facts.join(" · ")}`,
    bullets(names.slice(0, SHOWN_ENTRIES)),
    more > 0 ? `… and ${more} more.` : "",
    file && prose(`Next, try ${inlineCode(`explain ${path.replace(/\/$/, "")}/${file}`)}.`),
  );
}
