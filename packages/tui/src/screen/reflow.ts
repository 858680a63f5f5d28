// What a change of size did to the rows that were painted. Terminals lay rows out anew when
// they become narrower, keep the cursor with its text, and move rows that no longer fit into
// history. With the cursor's place after the change it can be said which rows those were; the
// engine then counts them as committed instead of painting them a second time.

import type { CaretPlace } from "../component.ts";
import { splitRow } from "../width.ts";

/**
 * What a terminal does with rows that no longer fit. `tracks`: wraps them and keeps the cursor
 * with its text. `drifts`: wraps them, but the cursor keeps its place on the screen while rows
 * at and below it push its text upwards (xterm.js). `none`: cuts them.
 */
export type Reflow = "tracks" | "drifts" | "none";

export interface ResizeFacts {
  drawn: readonly { text: string; width: number }[];
  /** In the region, before the change. */
  cursor: CaretPlace;
  columns: number;
  rows: number;
  /** On the screen, after it; undefined where the terminal does not tell. */
  reported?: CaretPlace;
  reflow: Reflow;
}

export interface ResizeEffect {
  /** Leading painted rows that are in history now, the last of them perhaps in part. */
  pushed: number;
  /** Parts of the last pushed row that still stand on the screen. */
  leftover: number;
  /** From the cursor up to the first row on the screen that was painted by us. */
  up: number;
}

export function resizeEffect(facts: ResizeFacts): ResizeEffect {
  const { drawn, cursor, columns, rows, reported, reflow } = facts;
  const heights = drawn.map((row) =>
    reflow !== "none" && row.width > columns ? splitRow(row.text, columns).length : 1,
  );
  let above = 0;
  for (let index = 0; index < Math.min(cursor.row, heights.length); index += 1) {
    above += heights[index]!;
  }
  if (reflow === "drifts") {
    // It goes from the bottom up and leaves alone the row in which it finds the cursor, which
    // by then may have drifted to a lower one.
    let drift = 0;
    for (let index = heights.length - 1; index >= cursor.row; index -= 1) {
      if (index !== cursor.row + drift) drift += heights[index]! - 1;
    }
    above += drift;
  } else if (reflow === "tracks" && cursor.column >= columns) {
    // Some leave the cursor's own row as it is: the cursor is then at its end.
    const folded = !reported || reported.column === cursor.column % columns;
    if (folded) above += Math.floor(cursor.column / columns);
  }
  const lost = Math.max(0, above - (reported ? reported.row : rows - 1));
  let pushed = 0;
  let covered = 0;
  while (covered < lost && pushed < heights.length) {
    covered += heights[pushed]!;
    pushed += 1;
  }
  return { pushed, leftover: Math.max(covered - lost, 0), up: above - lost };
}
