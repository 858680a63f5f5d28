// How code gets its colours: line by line, by someone who knows the language. Line by line,
// because a line that has been shown and stored in history cannot be coloured afterwards.

import type { Span } from "../components/spans.ts";

/** Colours one line after the other; it remembers what it must (an open comment, a string). */
export type HighlightLine = (line: string) => readonly Span[];

export interface CodeHighlighter {
  /** Asked once for each block of code; undefined where the language is not known. */
  start(language: string): HighlightLine | undefined;
}

/** The spans of a line, or the line as it is where they do not say the same. */
export function checkedSpans(line: string, highlight: HighlightLine): readonly Span[] {
  const spans = highlight(line);
  return spans.map((span) => span.text).join("") === line ? spans : [{ text: line }];
}
