// A long source without its bodies: what is declared stays, what was left out is marked and
// named, so that the next read can ask for exactly that.

import { printNumberedLine } from "@tau/hashline/numbered-lines";
import type { Summary } from "@tau/host/syntax/summary";
import { printRange } from "../../resources/line-range.ts";
import { LONG_LINE_CHARS, printRow, type LineSource, type ShowOptions } from "./show-lines.ts";

/** As an example of how to ask; all of them would be a list nobody reads. */
const NAMED_RANGES = 3;
const OPENER = /[{([]\s*$/;
const CLOSER = /^\s*[})\]]/;

export interface ShownSummary {
  rows: string[];
  footer: string;
}

export interface SummaryOptions {
  path: string;
  /** Whether all of it can be had at once. */
  isOnePage: boolean;
  /** The summary of a huge file is one of its beginning. */
  maxBytes: number;
  onShown: ShowOptions["onShown"];
}

export function showSummary(
  source: LineSource,
  summary: Summary,
  { path, isOnePage, maxBytes, onShown }: SummaryOptions,
): ShownSummary {
  const rows: string[] = [];
  let left = maxBytes;
  let restFrom: number | undefined;
  /** The row of a line that a closer may be joined to. */
  let opener: { at: number; line: number } | undefined;
  for (const span of summary.spans) {
    if (restFrom !== undefined) break;
    if (span.kind === "elided") {
      const before = rows.length - 1;
      const line = span.from - 1;
      const isOpen = line > 0 && OPENER.test(source.line(line));
      opener = isOpen && before >= 0 ? { at: before, line } : undefined;
      rows.push("...");
      continue;
    }
    for (let number = span.from; number <= span.to; number++) {
      const text = source.line(number);
      if (number === span.from && opener && CLOSER.test(text)) {
        // The bodies' own row goes: `12-40:function f() { .. }`.
        rows.pop();
        const head = source.line(opener.line).trimEnd();
        const joined = `${head} .. ${text.trim()}`.slice(0, LONG_LINE_CHARS);
        const [first] = printNumberedLine(opener.line, "").split(":");
        const row = `${first}-${number}:${joined}`;
        left -= Buffer.byteLength(row) - Buffer.byteLength(rows[opener.at]!);
        rows[opener.at] = row;
      } else {
        const row = printRow(number, text, "numbers");
        left -= Buffer.byteLength(row.text) + 1;
        if (left < 0) {
          restFrom = number;
          break;
        }
        onShown(text, row.to);
        rows.push(row.text);
      }
    }
    opener = undefined;
  }
  const elided = summary.spans.filter((span) => span.kind === "elided");
  const examples = elided
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, NAMED_RANGES)
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to }) => printRange({ first: from, last: to }))
    .join(",");
  const all = isOnePage ? `, or all with ${path}:1-` : "";
  const footer = `[${summary.elidedLines} of ${summary.lines} lines left out; read what you need, e.g. ${path}:${examples}${all}]`;
  if (restFrom !== undefined) {
    rows.push(
      `[the summary ends here; go on with ${path}:${restFrom}-, or search ${path} for names]`,
    );
  }
  return { rows, footer };
}
