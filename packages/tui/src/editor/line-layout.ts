// How a line of the buffer is broken into rows, and which column each place has. Rows
// break after blanks where they can; every character is in exactly one row, so that each
// place has exactly one column.

import { clustersOf, isPrintableAscii } from "../components/grapheme-clusters.ts";
import { displayWidth, fitLine } from "../width.ts";
import type { PasteTokens } from "./paste-tokens.ts";

/** Part of a line that stands in one row. */
export interface VisualRow {
  start: number;
  end: number;
}

/** A tab in a prompt is an indent, not a table: a fixed width keeps the caret exact. */
const TAB_COLUMNS = 2;
const DIRECTION_OVERRIDE = /^[\u202a-\u202e\u2066-\u2069]/;
// Of lines whose rows are remembered; more than any screen shows.
const MAX_CACHED_LINES = 512;

export class LineLayout {
  readonly #tokens: PasteTokens;
  #columns = 0;
  #cache = new Map<string, readonly VisualRow[]>();

  constructor(tokens: PasteTokens) {
    this.#tokens = tokens;
  }

  /** At least one row, also for an empty line. */
  rows(line: string, columns: number): readonly VisualRow[] {
    if (columns !== this.#columns || this.#cache.size > MAX_CACHED_LINES) {
      this.#cache.clear();
      this.#columns = columns;
    }
    let rows = this.#cache.get(line);
    if (!rows) {
      rows = this.#layOut(line, columns);
      this.#cache.set(line, rows);
    }
    return rows;
  }

  /** A token's label may have changed hands: forget what was measured. */
  forget(): void {
    this.#cache.clear();
  }

  /** What a cluster looks like on a row of `columns`. */
  draw(cluster: string, columns: number): string {
    if (cluster === "\t") return " ".repeat(Math.min(TAB_COLUMNS, columns));
    // It stays in the text but must not turn the row around.
    if (DIRECTION_OVERRIDE.test(cluster)) return "";
    const label = this.#tokens.labelOf(cluster);
    if (label !== undefined) return fitLine(label, columns);
    return displayWidth(cluster) > columns ? fitLine(cluster, columns) : cluster;
  }

  drawRow(line: string, row: VisualRow, columns: number): string {
    const text = line.slice(row.start, row.end);
    if (isPrintableAscii(text)) return text;
    return clustersOf(text)
      .map((cluster) => this.draw(cluster, columns))
      .join("");
  }

  /** The column of a place within its row. */
  columnOf(line: string, row: VisualRow, offset: number, columns: number): number {
    return this.#width(line.slice(row.start, offset), columns);
  }

  /** The place in a row that is at `column`, or the nearest before it. */
  offsetAt(line: string, row: VisualRow, column: number, columns: number): number {
    const text = line.slice(row.start, row.end);
    const isLast = row.end === line.length;
    let offset = row.start;
    let width = 0;
    for (const cluster of clustersOf(text)) {
      width += displayWidth(this.draw(cluster, columns));
      const next = offset + cluster.length;
      // The end of a row that goes on is the beginning of the next one.
      if (width > column || (!isLast && next >= row.end)) break;
      offset = next;
    }
    return offset;
  }

  #width(text: string, columns: number): number {
    if (isPrintableAscii(text)) return text.length;
    let width = 0;
    for (const cluster of clustersOf(text)) width += displayWidth(this.draw(cluster, columns));
    return width;
  }

  #layOut(line: string, columns: number): VisualRow[] {
    const ascii = isPrintableAscii(line);
    if (ascii && line.length <= columns) return [{ start: 0, end: line.length }];
    const rows: VisualRow[] = [];
    let start = 0;
    let width = 0;
    let offset = 0;
    // After the last blank of the row: where it may break, and the width up to there.
    let breakAt = 0;
    let breakWidth = 0;
    for (const cluster of ascii ? line : clustersOf(line)) {
      const next = ascii ? 1 : displayWidth(this.draw(cluster, columns));
      while (width + next > columns && offset > start) {
        const at = breakAt > start ? breakAt : offset;
        width = breakAt > start ? width - breakWidth : 0;
        rows.push({ start, end: at });
        start = at;
      }
      offset += cluster.length;
      width += next;
      if (cluster === " " || cluster === "\t" || next === 2) {
        breakAt = offset;
        breakWidth = width;
      }
    }
    rows.push({ start, end: line.length });
    return rows;
  }
}
