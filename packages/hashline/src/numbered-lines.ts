// Lines as read, search and refusals print them: `LINE:TEXT`, with a one-character mark in
// front where lines must be told apart.

import type { LineIndex } from "./line-index.ts";

/** Lines shown on each side of a place in a refusal. */
const CONTEXT_LINES = 2;
/** A minified line must not fill the model's context, in characters. */
const MAX_LINE_LENGTH = 512;

export function printNumberedLine(line: number, text: string): string {
  return `${line}:${text}`;
}

/** The marked lines (`*12:…`) with a few lines around each (` 11:…`); gaps show as `…`. */
export function printContext(index: LineIndex, marked: Iterable<number>): string {
  const marks = new Set<number>();
  const shown = new Set<number>();
  for (const line of marked) {
    marks.add(line);
    for (let near = line - CONTEXT_LINES; near <= line + CONTEXT_LINES; near++) {
      if (near >= 1 && near <= index.count) shown.add(near);
    }
  }
  const rows: string[] = [];
  let previous = 0;
  for (const line of [...shown].toSorted((a, b) => a - b)) {
    if (rows.length > 0 && line !== previous + 1) rows.push("…");
    const text = clipLine(index.line(line));
    rows.push(`${marks.has(line) ? "*" : " "}${printNumberedLine(line, text)}`);
    previous = line;
  }
  return rows.join("\n");
}

export function clipLine(text: string): string {
  return text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}…` : text;
}
