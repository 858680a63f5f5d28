// Listings of numbered lines as read and the searches print them for the model, for people:
// without tags, with colours, and in the transcript only the lines that matched.

import { breakSpans, type Span } from "@tau/tui/components/spans";
import { parseFileHeader } from "@tau/hashline/file-header";
import { languageOfPath } from "../../highlight/highlight-languages.ts";
import type { CallLook } from "../../feature-api/tool-view.ts";
import { firstLines, rowText, wholeText } from "./clip-text.ts";
import { lineColours, type SpansOfLine } from "./code-rows.ts";
import { fitRow, MAX_FULL_LINES, moreRow, widthOf } from "./output-rows.ts";
import { shownPath } from "./path-spans.ts";

/** `*12:text`, ` 12|text`, `12:text`. */
const NUMBERED = /^([* ]?)(\d{1,9})([:|])(.*)$/s;
/** A name above lines, where there are no tags. */
const NAMED = /^# (.+)$/s;
/** Lines of a result that are looked through for matches to show in the transcript. */
const MAX_SCANNED_LINES = 2000;

export interface ListingOptions {
  /** Rows in the transcript. */
  most: number;
  /** Of the lines where no name stands above them. */
  path?: string;
  /** `matches`: in the transcript only lines that are marked, and the names above them. */
  short: "all" | "matches";
}

export function listingRows(text: string, look: CallLook, options: ListingOptions): string[] {
  const isFull = look.detail === "full";
  const { lines, left } = firstLines(text, isFull ? MAX_FULL_LINES : MAX_SCANNED_LINES);
  const listing = new Listing(look, options.path);
  const rows: string[] = [];
  let unseen = left;
  for (const line of lines) {
    const isWanted = isFull || options.short === "all" || isMatch(line);
    if (!isFull && (!isWanted || rows.length >= options.most)) {
      if (isWanted && line.trim() !== "") unseen++;
      continue;
    }
    const clipped = isFull ? wholeText(line) : rowText(line, look.columns);
    const spans = listing.spans(clipped);
    if (isFull) rows.push(...breakSpans(spans, widthOf(look)));
    else rows.push(fitRow(spans, look));
  }
  return unseen > 0 ? [...rows, moreRow(unseen, look)] : rows;
}

const isMatch = (line: string): boolean =>
  line.startsWith("*") || NAMED.test(line) || parseFileHeader(line) !== undefined;

class Listing {
  readonly #look: CallLook;
  #language: string | undefined;
  #colours: SpansOfLine;

  constructor(look: CallLook, path: string | undefined) {
    this.#look = look;
    this.#language = path === undefined ? undefined : languageOfPath(path);
    this.#colours = lineColours(this.#language, look);
  }

  spans(line: string): readonly Span[] {
    const { theme, cwd } = this.#look;
    const name = parseFileHeader(line)?.path ?? NAMED.exec(line)?.[1];
    if (name !== undefined) {
      this.#begin(languageOfPath(name));
      return [{ text: shownPath(name, cwd), paint: theme.style("accent") }];
    }
    const numbered = NUMBERED.exec(line);
    if (!numbered) {
      // Lines are missing here: what the colours rest on is not known.
      if (line === "…") this.#begin(this.#language);
      return [{ text: line, paint: theme.style("muted") }];
    }
    const [, mark, number, , code] = numbered;
    const lead = { text: `${number!.padStart(4)} `, paint: theme.style("muted") };
    const sign = { text: mark === "*" ? theme.symbols.pointer : " ", paint: theme.style("accent") };
    return [sign, lead, ...this.#colours(code!)];
  }

  #begin(language: string | undefined): void {
    this.#language = language;
    this.#colours = lineColours(language, this.#look);
  }
}
