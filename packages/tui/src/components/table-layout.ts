// Tables: as wide as they need where that fits, with wrapped cells where it nearly does,
// and folded into one block per row where columns would become unreadable.

import type { Theme } from "../theme/theme.ts";
import { displayWidth } from "../width.ts";
import { widthOfSpans, wrapSpans, type Span } from "./spans.ts";

export type Alignment = "left" | "right" | "center";
export type Cell = readonly Span[];

export interface TableContent {
  header: readonly Cell[];
  rows: readonly (readonly Cell[])[];
  alignments?: readonly Alignment[];
}

/** Narrower than this a column is a column of syllables. */
const MIN_CELL_COLUMNS = 6;

export function layoutTable(table: TableContent, columns: number, theme: Theme): string[] {
  const all = [table.header, ...table.rows];
  const count = all.reduce((most, row) => Math.max(most, row.length), 0);
  if (count === 0) return [];
  const border = theme.style("borderMuted");
  const separator = ` ${theme.symbols.boxVertical} `;
  const gaps = displayWidth(separator) * (count - 1);
  const natural = Array.from({ length: count }, (_, index) =>
    all.reduce((most, row) => Math.max(most, widthOfSpans(row[index] ?? [])), 1),
  );
  const widths = shareOut(natural, columns - gaps);
  if (!widths) return foldTable(table, columns, theme);
  const draw = (cells: readonly Cell[]): string[] => {
    const wrapped = widths.map((width, index) => wrapSpans(cells[index] ?? [], width));
    const height = Math.max(...wrapped.map((rows) => rows.length));
    return Array.from({ length: height }, (_, row) =>
      widths
        .map((width, index) => align(wrapped[index]![row] ?? "", width, table.alignments?.[index]))
        .join(border(separator))
        .trimEnd(),
    );
  };
  const { boxHorizontal, boxCross } = theme.symbols;
  const line = widths
    .map((width) => boxHorizontal.repeat(width))
    .join(boxHorizontal + boxCross + boxHorizontal);
  const head = table.header.length > 0 ? [...draw(table.header), border(line)] : [];
  return [...head, ...table.rows.flatMap(draw)];
}

function align(text: string, width: number, how: Alignment = "left"): string {
  const room = Math.max(0, width - displayWidth(text));
  const left = how === "left" ? 0 : how === "right" ? room : Math.floor(room / 2);
  return " ".repeat(left) + text + " ".repeat(room - left);
}

/** The natural widths where they fit; otherwise the widest give; undefined where all starve. */
function shareOut(natural: readonly number[], room: number): number[] | undefined {
  const total = natural.reduce((sum, width) => sum + width, 0);
  if (total <= room) return [...natural];
  const least = natural.map((width) => Math.min(width, MIN_CELL_COLUMNS));
  if (least.reduce((sum, width) => sum + width, 0) > room) return undefined;
  // The largest cap at which everything fits; only columns wider than it are cut.
  let low = MIN_CELL_COLUMNS;
  let high = Math.max(...natural);
  const sumAt = (cap: number): number =>
    natural.reduce((sum, width) => sum + Math.min(width, cap), 0);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sumAt(middle) <= room) low = middle;
    else high = middle - 1;
  }
  return natural.map((width) => Math.min(width, low));
}

function foldTable(table: TableContent, columns: number, theme: Theme): string[] {
  const label = theme.attribute("bold");
  return table.rows.flatMap((row, index) => {
    const cells = row.flatMap((cell, at): string[] => {
      const name = (table.header[at] ?? []).map((span) => span.text).join("");
      const head: Span[] = name === "" ? [] : [{ text: `${name}: `, paint: label }];
      return wrapSpans([...head, ...cell], columns);
    });
    return index === 0 ? cells : ["", ...cells];
  });
}
