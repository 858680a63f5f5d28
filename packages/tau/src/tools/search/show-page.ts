// A page of found files as the model reads it: each under the header that an edit takes, its
// matches marked, its context beside them. What does not fit is left for the next page, so that
// paging by what the notes say shows every file once.

import { printFileHeader } from "@tau/hashline/file-header";
import { printNumberedLine } from "@tau/hashline/numbered-lines";
import type { SearchLine } from "@tau/host/search/search-query";
import { printRange, type LineRange } from "../../resources/line-range.ts";
import { printableName } from "../../resources/printable-name.ts";
import type { Workspace } from "../workspace.ts";
import { FileTags } from "./file-tags.ts";
import type { FoundFile, SearchScope } from "./run-search.ts";

/** Text of the matches, in bytes: some 2,500 tokens. What does not fit is better asked for by name. */
export const MAX_PAGE_TEXT_BYTES = 10 * 1024;

export interface ShownFile {
  path: string;
  matches: number;
  tag?: string;
}

export interface ShownPage {
  text: string;
  files: ShownFile[];
  /** Whether bytes, not files or matches, ended it. */
  isCut: boolean;
  /** Whether lines are shown, rather than files. */
  hasLines: boolean;
}

export interface PageOptions {
  /** Whether the lines around the matches are shown. */
  hasContext: boolean;
  scope: SearchScope;
  ranges?: readonly LineRange[] | undefined;
}

export async function showPage(
  workspace: Workspace,
  files: readonly FoundFile[],
  options: PageOptions,
): Promise<ShownPage> {
  const tags = new FileTags(workspace);
  const groups: string[] = [];
  const page: ShownPage = { text: "", files: [], isCut: false, hasLines: true };
  let left = MAX_PAGE_TEXT_BYTES;
  for (const found of files) {
    const file = options.hasContext ? found : withoutContext(found);
    const { shown } = file.source;
    const own = 2 * Buffer.byteLength(shown) + GROUP_EXTRA_BYTES;
    const fitting = fit(file.lines, left - own);
    if (fitting.length < file.lines.length) {
      page.isCut = true;
      // The first one is shown as far as it goes, or no page would ever pass it.
      if (groups.length > 0) break;
    }
    const name = printableName(shown);
    // A header that is not the path would lead an edit elsewhere.
    const tag = name === shown ? await tags.tagOf(file.source, fitting) : undefined;
    const head = tag === undefined ? `# ${name}` : printFileHeader(shown, tag);
    const matches = fitting.length < file.lines.length ? countMatches(fitting) : file.shown;
    const group = [head, ...printLines(fitting, tag === undefined ? "|" : ":")];
    if (matches < file.matches) group.push(moreNote(file, fitting, matches, options));
    const text = group.join("\n");
    left -= Buffer.byteLength(text) + 2;
    groups.push(text);
    page.files.push({ path: shown, matches, tag });
    if (page.isCut) break;
  }
  return { ...page, text: groups.join("\n\n") };
}

function withoutContext(file: FoundFile): FoundFile {
  return { ...file, lines: file.lines.filter(({ kind }) => kind === "match") };
}

/** The header's signs, and a note that names the file again. */
const GROUP_EXTRA_BYTES = 200;
/** A sign, a mark, a number and an ellipsis at most. */
const ROW_EXTRA_BYTES = 24;
/** Columns that are shown, and those of further matches. */
const CUT_EXTRA_BYTES = 80;

function fit(lines: readonly SearchLine[], bytes: number): readonly SearchLine[] {
  let left = bytes;
  for (const [at, { text, truncated }] of lines.entries()) {
    left -= Buffer.byteLength(text) + ROW_EXTRA_BYTES + (truncated ? CUT_EXTRA_BYTES : 0);
    if (left < 0) return lines.slice(0, at);
  }
  return lines;
}

function countMatches(lines: readonly SearchLine[]): number {
  return lines.filter(({ kind }) => kind === "match").length;
}

export function printLines(lines: readonly SearchLine[], separator: ":" | "|"): string[] {
  const rows: string[] = [];
  let previous: number | undefined;
  for (const { line, kind, text, offset, truncated, more } of lines) {
    if (previous !== undefined && line > previous + 1) rows.push("…");
    const shown = truncated ? cutRow(text, offset, more) : text;
    const row = separator === ":" ? printNumberedLine(line, shown) : `${line}|${shown}`;
    rows.push(`${kind === "match" ? "*" : " "}${row}`);
    previous = line;
  }
  return rows;
}

/** With the columns that it shows, by which others can be asked for. */
function cutRow(text: string, offset: number, more: SearchLine["more"]): string {
  const columns = `columns ${offset + 1}-${offset + text.length}`;
  return `${offset > 0 ? "…" : ""}${text}… [${columns}${more ? moreMatches(more) : ""}]`;
}

function moreMatches({ count, columns }: NonNullable<SearchLine["more"]>): string {
  const at = `${columns.join(", ")}${count > columns.length ? ", …" : ""}`;
  return count === 1 ? `; 1 more match at ${at}` : `; ${count} more matches at ${at}`;
}

function moreNote(
  { source, matches }: FoundFile,
  lines: readonly SearchLine[],
  shown: number,
  { scope, ranges }: PageOptions,
): string {
  const name = printableName(source.shown);
  const counted = `[${shown} of ${matches} matches`;
  if (scope === "many") return `${counted}; search ${name} alone for the others]`;
  const last = lines.findLast(({ kind }) => kind === "match")?.line ?? 0;
  const rest = rangesFrom(last + 1, ranges ?? [{ first: 1 }]);
  return `${counted}; go on with ${name}:${rest.map(printRange).join(",")}]`;
}

function rangesFrom(line: number, ranges: readonly LineRange[]): LineRange[] {
  return ranges
    .filter(({ last }) => last === undefined || last >= line)
    .map((range) => ({ ...range, first: Math.max(range.first, line) }));
}
