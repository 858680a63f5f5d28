// Lines of a text that are asked for: from 1, both ends included, open at the end or not.

export interface LineRange {
  first: number;
  /** Undefined: to the end. */
  last?: number;
}

/** In order, without overlaps; neighbours become one. */
export function mergeRanges(ranges: readonly LineRange[]): LineRange[] {
  const sorted = ranges.toSorted((a, b) => a.first - b.first);
  const merged: LineRange[] = [];
  for (const { first, last } of sorted) {
    const before = merged.at(-1);
    const touches = before && (before.last === undefined || first <= before.last + 1);
    if (!touches) merged.push(last === undefined ? { first } : { first, last });
    else if (last === undefined) delete before.last;
    else if (before.last !== undefined) before.last = Math.max(before.last, last);
  }
  return merged;
}

/** With so many lines around each range, on the sides that are limited. */
export function widenRanges(
  ranges: readonly LineRange[],
  around: { before: number; after: number },
): LineRange[] {
  const wide = ranges.map(({ first, last }): LineRange => {
    const from = Math.max(1, first - around.before);
    return last === undefined ? { first: from } : { first: from, last: last + around.after };
  });
  return mergeRanges(wide);
}

export function printRange({ first, last }: LineRange): string {
  if (last === undefined) return `${first}-`;
  return first === last ? String(first) : `${first}-${last}`;
}
