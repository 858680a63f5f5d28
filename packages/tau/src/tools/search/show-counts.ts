// Files that match, a row each: for a search that is too broad to show its lines, and for whoever
// only wants to know where, or how often.

import type { SearchLine } from "@tau/host/search/search-query";
import { printableName } from "../../resources/printable-name.ts";
import { atCharacter } from "../seen-lines.ts";
import type { FoundFile } from "./run-search.ts";
import type { ShownPage } from "./show-page.ts";

/** Characters of the first match that stand beside a count. */
const FIRST_CHARS = 80;

export type CountForm = "files" | "counts" | "firsts";

/** As many as the bytes allow, in their order. */
export function showCounts(
  files: readonly FoundFile[],
  form: CountForm,
  maxBytes: number,
): ShownPage {
  const rows: string[] = [];
  const page: ShownPage = { text: "", files: [], isCut: false, hasLines: false };
  let left = maxBytes;
  for (const file of files) {
    const row = rowOf(file, form);
    left -= Buffer.byteLength(row) + 1;
    if (left < 0 && rows.length > 0) {
      page.isCut = true;
      break;
    }
    rows.push(row);
    page.files.push({ path: file.source.shown, matches: file.matches });
  }
  return { ...page, text: rows.join("\n") };
}

function rowOf({ source, matches, lines }: FoundFile, form: CountForm): string {
  const name = printableName(source.shown);
  if (form === "files") return name;
  const first = form === "firsts" ? lines.find(({ kind }) => kind === "match") : undefined;
  return first ? `${name}: ${matches}, ${firstOf(first)}` : `${name}: ${matches}`;
}

function firstOf({ line, text }: SearchLine): string {
  const trimmed = text.trim();
  const cut = trimmed.slice(0, atCharacter(trimmed, FIRST_CHARS));
  return `${line}|${cut}${cut.length < trimmed.length ? "…" : ""}`;
}
