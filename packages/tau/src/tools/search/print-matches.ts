// Matches for people and scripts. A terminal gets a heading for each file and the matches in
// colour; everything else one line for each, as grep prints them, so that pipes can cut it.

import type { SearchLine } from "@tau/host/search/search-query";
import type { Style } from "../../base/style.ts";
import type { FoundFile } from "./run-search.ts";
import { visibleOnTerminal } from "../view-files.ts";

export interface MatchPrinter {
  /** The rows of one file, with what separates it from the one before. */
  print(file: FoundFile, place: "first" | "later"): string;
}

export function pipePrinter(options: { hasContext: boolean }): MatchPrinter {
  return {
    print({ source, lines }, place) {
      const rows: string[] = [];
      if (options.hasContext && place === "later") rows.push("--");
      let previous: number | undefined;
      for (const line of lines) {
        if (options.hasContext && isAfterGap(line, previous)) rows.push("--");
        const sign = line.kind === "match" ? ":" : "-";
        rows.push(`${source.shown}${sign}${line.line}${sign}${line.text}`);
        previous = line.line;
      }
      return `${rows.join("\n")}\n`;
    },
  };
}

export function terminalPrinter(style: Style, options: { hasContext: boolean }): MatchPrinter {
  return {
    print({ source, lines, matches, shown }, place) {
      const rows = place === "later" ? [""] : [];
      rows.push(style.accent(visibleOnTerminal(source.shown)));
      let previous: number | undefined;
      for (const line of lines) {
        if (options.hasContext && isAfterGap(line, previous)) rows.push(style.dim("--"));
        rows.push(terminalRow(line, style));
        previous = line.line;
      }
      if (shown < matches) rows.push(style.dim(`${shown} of ${matches} matches`));
      return `${rows.join("\n")}\n`;
    },
  };
}

function isAfterGap({ line }: SearchLine, previous: number | undefined): boolean {
  return previous !== undefined && line > previous + 1;
}

function terminalRow({ line, kind, text, ranges, offset, truncated }: SearchLine, style: Style) {
  const safe = visibleOnTerminal(text);
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of kind === "match" ? ranges : []) {
    parts.push(safe.slice(at, start), style.bold(style.error(safe.slice(start, end))));
    at = end;
  }
  parts.push(safe.slice(at));
  const shown = `${offset > 0 ? "…" : ""}${parts.join("")}${truncated ? "…" : ""}`;
  const number = `${line}${kind === "match" ? ":" : "-"}`;
  return kind === "match" ? `${style.success(number)}${shown}` : style.dim(`${number}${shown}`);
}

/** For programs: everything that is known, paths as they are shown elsewhere. */
export function matchesInJson({ source, matches, lines }: FoundFile): Record<string, unknown> {
  return { path: source.shown, matches, lines };
}
