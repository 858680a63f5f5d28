// How wide the columns of a list are: what they need where it fits; where it does not, the
// least important go, and what is left is shared by those that can be cut.

export interface PickColumn {
  /** Stands above it. */
  title?: string;
  align?: "left" | "right";
  /** May be cut down to so many columns; one without it is whole or not there. */
  least?: number;
  /** The highest goes first where room is short; one without it stays. */
  yields?: number;
  /** Only there where all the others are whole. */
  isExtra?: true;
}

/** Between two columns. */
const GAP_COLUMNS = 2;

/** A width for each column, 0 for one that is left out. */
export function layOutColumns(
  columns: readonly PickColumn[],
  natural: readonly number[],
  room: number,
): number[] {
  const kept = new Set(columns.keys().filter((index) => (natural[index] ?? 0) > 0));
  const leastOf = (index: number): number => {
    const need = natural[index] ?? 0;
    return Math.min(need, columns[index]!.least ?? need);
  };
  const gaps = (): number => Math.max(0, kept.size - 1) * GAP_COLUMNS;
  const sum = (width: (index: number) => number): number =>
    [...kept].reduce((total, index) => total + width(index), gaps());
  for (const index of kept) {
    if (columns[index]!.isExtra && sum((each) => natural[each]!) > room) kept.delete(index);
  }
  const leaving = [...kept]
    .filter((index) => columns[index]!.yields !== undefined)
    .toSorted((a, b) => columns[b]!.yields! - columns[a]!.yields!);
  for (const index of leaving) {
    if (sum(leastOf) <= room) break;
    kept.delete(index);
  }
  const widths = columns.map((_, index) => (kept.has(index) ? natural[index]! : 0));
  let excess = sum((index) => widths[index]!) - room;
  // The widest give first, so that short ones stay whole.
  while (excess > 0) {
    const yielding = [...kept]
      .filter((index) => widths[index]! > leastOf(index))
      .toSorted((a, b) => widths[b]! - widths[a]!);
    const [widest, second] = yielding;
    if (widest === undefined) break;
    const floor = Math.max(leastOf(widest), second === undefined ? 0 : widths[second]! - 1);
    const cut = Math.max(1, Math.min(excess, widths[widest]! - floor));
    widths[widest] = widths[widest]! - cut;
    excess -= cut;
  }
  return widths;
}
