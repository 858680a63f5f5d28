// Text in the pieces that a person takes for one character, with the columns of each.
// Layout and caret both count with these, so they cannot disagree.

import { displayWidth } from "../width.ts";

let segmenter: Intl.Segmenter | undefined;

export function graphemeSegments(text: string): Intl.Segments {
  // Made at first use: loading the tables costs a millisecond that a start need not pay.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

const ONE_COLUMN_EACH = /^[\x20-\x7e]*$/;

/** Every character is a cluster of one column: no segmenting needed. */
export const isPrintableAscii = (text: string): boolean => ONE_COLUMN_EACH.test(text);

/** The clusters of a text in order. */
export function clustersOf(text: string): string[] {
  if (isPrintableAscii(text)) return text.split("");
  return Array.from(graphemeSegments(text), ({ segment }) => segment);
}

/** The longest beginning of `text` that takes at most `columns`. */
function headOf(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let width = 0;
  let head = "";
  for (const cluster of clustersOf(text)) {
    const next = displayWidth(cluster);
    if (width + next > columns) break;
    width += next;
    head += cluster;
  }
  return head;
}

/** `text` with blanks up to `columns`, or its beginning where it is longer. */
export function padTo(text: string, columns: number): string {
  const head = headOf(text, columns);
  return head + " ".repeat(Math.max(0, columns - displayWidth(head)));
}
