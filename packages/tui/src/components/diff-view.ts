// Shows changes of a file: line numbers, signs, and the words that differ where a line was
// changed into another. The sign tells added from removed also without colours.

import type { Component, Rendered } from "../component.ts";
import { layered, type Paint, type Theme } from "../theme/theme.ts";
import { cleanLine } from "./clean-text.ts";
import { breakSpans, type Span } from "./spans.ts";
import { changedWords, type WordPart } from "./word-changes.ts";

/** Lines count from 1; 0 is a line whose number nobody knows. */
export type DiffLine =
  | { kind: "context"; text: string; oldLine: number; newLine: number }
  | { kind: "added"; text: string; newLine: number }
  | { kind: "removed"; text: string; oldLine: number }
  /** Lines that are not shown. */
  | { kind: "gap"; text?: string };

export interface DiffViewOptions {
  lines: readonly DiffLine[];
  theme: Theme;
  /** Rows beyond this are counted, not shown. */
  maxRows?: number;
}

const SIGNS = { context: " ", added: "+", removed: "-" } as const;
// Two long runs are seldom one change; pairing their lines would only make noise.
const MAX_PAIRED_LINES = 50;
// Less room than this for text, and the line numbers are left out.
const MIN_TEXT_COLUMNS = 12;

export class DiffView implements Component {
  readonly state = "final";
  readonly #options: DiffViewOptions;
  #cached: { columns: number; rendered: Rendered } | undefined;

  constructor(options: DiffViewOptions) {
    this.#options = options;
  }

  render(columns: number): Rendered {
    const width = Math.max(1, columns);
    if (this.#cached?.columns !== width) {
      const rows = this.#rows(width);
      this.#cached = { columns: width, rendered: { rows, stableRows: rows.length } };
    }
    return this.#cached.rendered;
  }

  #rows(columns: number): string[] {
    const { lines, theme, maxRows = Number.POSITIVE_INFINITY } = this.#options;
    const emphasis = pairChanges(lines);
    const highest = lines.reduce((most, line) => Math.max(most, numberOf(line)), 0);
    const digits = highest === 0 ? 0 : String(highest).length;
    const gutter = columns - digits - 3 >= MIN_TEXT_COLUMNS ? digits : 0;
    const rows: string[] = [];
    for (const [index, line] of lines.entries()) {
      if (rows.length >= maxRows) {
        const note = `${theme.symbols.ellipsis} ${lines.length - index} more lines`;
        rows.push(
          ...breakSpans([{ text: note, paint: theme.style("muted") }], columns).slice(0, 1),
        );
        break;
      }
      rows.push(...this.#lineRows(line, emphasis.get(line), gutter, columns));
    }
    return rows;
  }

  #lineRows(
    line: DiffLine,
    parts: WordPart[] | undefined,
    gutter: number,
    columns: number,
  ): string[] {
    const { theme } = this.#options;
    const muted = theme.style("muted");
    if (line.kind === "gap") {
      const text = cleanLine(line.text ?? theme.symbols.ellipsis);
      return breakSpans([{ text, paint: muted }], columns).slice(0, 1);
    }
    const paint = paintOf(line.kind, theme);
    const strong = layered(theme.attribute("inverse"), paint);
    const sign = `${SIGNS[line.kind]} `;
    const number = gutter === 0 ? "" : `${String(numberOf(line)).padStart(gutter)} `;
    const indent = " ".repeat(number.length + sign.length);
    const room = columns - indent.length;
    const spans: Span[] = parts
      ? parts.map(({ text, changed }) => ({ text, paint: changed ? strong : paint }))
      : [{ text: cleanLine(line.text), paint }];
    if (room < 1) return breakSpans([{ text: sign, paint }, ...spans], columns);
    return breakSpans(spans, room).map((row, index) =>
      index === 0 ? muted(number) + paint(sign) + row : indent + row,
    );
  }
}

function paintOf(kind: "context" | "added" | "removed", theme: Theme): Paint {
  if (kind === "context") return theme.style("toolDiffContext");
  return theme.style(kind === "added" ? "toolDiffAdded" : "toolDiffRemoved");
}

function numberOf(line: DiffLine): number {
  if (line.kind === "gap") return 0;
  return line.kind === "removed" ? line.oldLine : line.newLine;
}

/** Removed lines and as many added ones right after them are taken for changed ones. */
function pairChanges(lines: readonly DiffLine[]): Map<DiffLine, WordPart[]> {
  const parts = new Map<DiffLine, WordPart[]>();
  for (let index = 0; index < lines.length;) {
    const removed = runOf(lines, index, "removed");
    const added = runOf(lines, index + removed.length, "added");
    if (removed.length === added.length && removed.length <= MAX_PAIRED_LINES) {
      for (const [at, before] of removed.entries()) {
        const after = added[at]!;
        const words = changedWords(cleanLine(before.text), cleanLine(after.text));
        // Where nothing is left of a line, marking all of it says nothing.
        if (!words.before.some((part) => !part.changed && part.text.trim() !== "")) continue;
        parts.set(before, words.before);
        parts.set(after, words.after);
      }
    }
    index += Math.max(1, removed.length + added.length);
  }
  return parts;
}

function runOf<K extends "removed" | "added">(
  lines: readonly DiffLine[],
  from: number,
  kind: K,
): (DiffLine & { kind: K })[] {
  const run: (DiffLine & { kind: K })[] = [];
  for (let index = from; lines[index]?.kind === kind; index++) {
    run.push(lines[index] as DiffLine & { kind: K });
  }
  return run;
}
