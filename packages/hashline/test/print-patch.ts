// Patches and listings as a model would write them, for laws that read them back.

import { type Hunk, hunkHeader } from "../src/hunk.ts";
import type { LineIndex } from "../src/line-index.ts";
import { printNumberedLine } from "../src/numbered-lines.ts";

/** A patch section in canonical spelling. */
export function printSection(header: string, hunks: readonly Hunk[]): string {
  const rows = [header];
  for (const hunk of hunks) {
    rows.push(hunkHeader(hunk));
    if ("body" in hunk) rows.push(...hunk.body.map((row) => `+${row}`));
  }
  return `${rows.join("\n")}\n`;
}

/** All lines, one a row. */
export function printNumberedLines(index: LineIndex): string {
  const rows: string[] = [];
  for (let line = 1; line <= index.count; line++) {
    rows.push(printNumberedLine(line, index.line(line)));
  }
  return rows.join("\n");
}
