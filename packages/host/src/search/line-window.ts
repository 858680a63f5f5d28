// Cuts one long line to the part worth showing: its beginning when the first match is
// there, else a window around that match. A minified file shows its match, not its licence.

import type { SearchLine } from "./search-query.ts";

/** Of the window, what stands before the match, so that it is seen in its surroundings. */
const LEAD_FRACTION = 4;

/** Of the matches after the window, those whose columns are kept: the first places to look. */
const MORE_NAMED = 4;

export interface WholeLine {
  line: number;
  kind: SearchLine["kind"];
  text: string;
  ranges: readonly (readonly [start: number, end: number])[];
  /** The text was cut before it came here. */
  truncated?: boolean;
  /** Of the first match, where `ranges` cannot say it because the text was cut before it. */
  column?: number;
}

export function windowOf(whole: WholeLine, maxColumns: number): SearchLine {
  const { line, kind, text, ranges } = whole;
  const first = ranges[0];
  const position = first === undefined ? whole.column : first[0] + 1;
  const column = kind === "match" ? position : undefined;
  if (text.length <= maxColumns) {
    const truncated = whole.truncated === true;
    return { line, kind, text, offset: 0, truncated, column, ranges };
  }
  const inHead = first === undefined || first[1] <= maxColumns;
  const wanted = inHead ? 0 : Math.max(0, first[0] - Math.floor(maxColumns / LEAD_FRACTION));
  const offset = boundary(text, Math.min(wanted, text.length - maxColumns));
  const end = boundary(text, Math.min(text.length, offset + maxColumns));
  return {
    line,
    kind,
    text: text.slice(offset, end),
    offset,
    truncated: true,
    column,
    more: moreAfter(ranges, end),
    ranges: ranges
      .filter(([start, stop]) => start < end && stop > offset)
      .map(([start, stop]) => [Math.max(start, offset) - offset, Math.min(stop, end) - offset]),
  };
}

/** Undefined if the window has them all. */
function moreAfter(ranges: WholeLine["ranges"], end: number): SearchLine["more"] {
  const after = ranges.filter(([start]) => start >= end);
  if (after.length === 0) return undefined;
  const columns = after.slice(0, MORE_NAMED).map(([start]) => start + 1);
  return { count: after.length, columns };
}

/** Never between the two halves of a surrogate pair. */
function boundary(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  const splits = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
  return splits ? at - 1 : at;
}
