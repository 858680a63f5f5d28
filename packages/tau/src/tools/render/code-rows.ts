// Code in a call: highlighted where somebody knows the language, one row a line in the transcript.

import { breakSpans, type Span } from "@tau/tui/components/spans";
import { checkedSpans, type HighlightLine } from "@tau/tui/markdown/code-highlighter";
import type { CallLook } from "../../feature-api/tool-view.ts";
import { firstLines, lastLines, rowText, wholeText } from "./clip-text.ts";
import { fitRow, MAX_FULL_LINES, moreRow, widthOf } from "./output-rows.ts";

export type SpansOfLine = (line: string) => readonly Span[];

/** Colours clean lines one after the other; plain where the language is not known. */
export function lineColours(language: string | undefined, look: CallLook): SpansOfLine {
  const start: HighlightLine | undefined =
    language === undefined ? undefined : look.highlighter?.start(language);
  return (line) => (start ? checkedSpans(line, start) : [{ text: line }]);
}

/** The first line that says anything, and a sign for more: for titles. */
export function codeTitle(code: string, language: string, look: CallLook): Span[] {
  const start = /^\s*/.exec(code.slice(0, MAX_LEADING_UNITS))![0].length;
  const { lines, left } = firstLines(code.slice(start), 1);
  const line = rowText(lines[0] ?? "", look.columns).trimEnd();
  const spans = [...lineColours(language, look)(line)];
  if (left > 0) {
    spans.push({ text: ` ${look.theme.symbols.ellipsis}`, paint: look.theme.style("muted") });
  }
  return spans;
}

/** Blanks before the first word, in UTF-16 units; more is nobody's code. */
const MAX_LEADING_UNITS = 4096;

export interface CodeOptions {
  language: string | undefined;
  /** Rows in the transcript. */
  most: number;
  keep: "head" | "tail";
}

export function codeRows(code: string, look: CallLook, options: CodeOptions): string[] {
  const { language, most, keep } = options;
  const colours = lineColours(language, look);
  if (look.detail === "full") {
    const { lines, left } = firstLines(code, MAX_FULL_LINES);
    const rows = lines.flatMap((line) => breakSpans(colours(wholeText(line)), widthOf(look)));
    return left === 0 ? rows : [...rows, moreRow(left, look)];
  }
  const { lines, left } = keep === "head" ? firstLines(code, most) : lastLines(code, most);
  const rows = lines.map((line) => fitRow(colours(rowText(line, look.columns)), look));
  if (left === 0) return rows;
  return keep === "head" ? [...rows, moreRow(left, look)] : [moreRow(left, look), ...rows];
}
