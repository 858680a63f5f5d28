// Text with looks, and how it is brought into rows. Looks are applied to whole pieces of a
// row at the end, so no escape is ever cut and no row depends on the one before it.

import { plain, type Paint } from "../theme/theme.ts";
import { displayWidth, fitLine } from "../width.ts";
import { clustersOf, isPrintableAscii } from "./grapheme-clusters.ts";

/** Clean text of one line, and how it looks. */
export interface Span {
  text: string;
  paint?: Paint;
}

interface Piece extends Span {
  width: number;
}

export const widthOfSpans = (spans: readonly Span[]): number =>
  spans.reduce((sum, span) => sum + displayWidth(span.text), 0);

class RowBuilder {
  width = 0;
  #pieces: Piece[] = [];

  add(piece: Piece): void {
    const last = this.#pieces.at(-1);
    this.width += piece.width;
    // Neighbours of the same look share their escapes.
    if (last && last.paint === piece.paint) {
      last.text += piece.text;
      last.width += piece.width;
    } else this.#pieces.push({ ...piece });
  }

  take(columns: number): string {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.width = 0;
    const text = pieces.map((piece) => piece.text).join("");
    // Clusters that only form across pieces may be wider than their parts; looks yield then.
    if (!isPrintableAscii(text) && displayWidth(text) > columns) return fitLine(text, columns);
    return pieces.map(({ text, paint }) => (paint ?? plain)(text)).join("");
  }
}

function* hardPieces(piece: Span, columns: number): Generator<Piece> {
  for (const cluster of clustersOf(piece.text)) {
    const width = displayWidth(cluster);
    // One that can never fit is shown as cut.
    const text = width > columns ? fitLine(cluster, columns) : cluster;
    yield { text, paint: piece.paint, width: width > columns ? displayWidth(text) : width };
  }
}

/** Rows that break at blanks; words longer than a row break anywhere. At least one row. */
export function wrapSpans(spans: readonly Span[], columns: number): string[] {
  const rows: string[] = [];
  const row = new RowBuilder();
  let blanks: Piece[] = [];
  let word: Piece[] = [];
  const widthOf = (pieces: readonly Piece[]): number =>
    pieces.reduce((sum, { width }) => sum + width, 0);
  const endRow = (): void => {
    rows.push(row.take(columns));
  };
  const endWord = (): void => {
    if (word.length === 0) return;
    const width = widthOf(word);
    const gap = widthOf(blanks);
    if (row.width + gap + width <= columns) for (const piece of blanks) row.add(piece);
    else if (row.width > 0) endRow();
    blanks = [];
    if (row.width + width <= columns) for (const piece of word) row.add(piece);
    else {
      for (const piece of word.flatMap((part) => [...hardPieces(part, columns)])) {
        if (row.width + piece.width > columns && row.width > 0) endRow();
        row.add(piece);
      }
    }
    word = [];
  };
  for (const { text, paint } of spans) {
    for (const [part] of text.matchAll(/ +|[^ ]+/g)) {
      if (part.startsWith(" ")) {
        endWord();
        blanks.push({ text: part, paint, width: part.length });
      } else if (isPrintableAscii(part)) word.push({ text: part, paint, width: part.length });
      else {
        for (const cluster of clustersOf(part)) {
          const width = displayWidth(cluster);
          // Between wide characters any place is a good one to break.
          if (width > 1) endWord();
          word.push({ text: cluster, paint, width });
          if (width > 1) endWord();
        }
      }
    }
  }
  endWord();
  if (row.width > 0 || rows.length === 0) endRow();
  return rows;
}

/** Rows that break exactly at the width and keep every blank: for code. */
export function breakSpans(spans: readonly Span[], columns: number): string[] {
  const rows: string[] = [];
  const row = new RowBuilder();
  for (const span of spans) {
    const width = displayWidth(span.text);
    if (row.width + width <= columns) {
      row.add({ ...span, width });
      continue;
    }
    for (const piece of hardPieces(span, columns)) {
      if (row.width + piece.width > columns && row.width > 0) rows.push(row.take(columns));
      row.add(piece);
    }
  }
  rows.push(row.take(columns));
  return rows;
}

const ELLIPSIS = "…";

/** One row, with an ellipsis where something was cut. */
export function fitSpans(spans: readonly Span[], columns: number): string {
  const row = new RowBuilder();
  if (widthOfSpans(spans) <= columns) {
    for (const span of spans) row.add({ ...span, width: displayWidth(span.text) });
    return row.take(columns);
  }
  if (columns <= 0) return "";
  for (const span of spans) {
    for (const piece of hardPieces(span, columns)) {
      if (row.width + piece.width > columns - 1) {
        row.add({ text: ELLIPSIS, paint: span.paint, width: 1 });
        return row.take(columns);
      }
      row.add(piece);
    }
  }
  return row.take(columns);
}
