// Something that stands over the window for a while: a picker, a question. It is laid into the
// rows that are about to be painted and nowhere else, so it can never get into history.

import type { CaretPlace, Component } from "../component.ts";
import { displayWidth, padRow, sliceColumns } from "../width.ts";

export interface Overlay {
  component: Component;
  /** Columns it takes; all where left out. */
  columns?: number;
  /** The place of its left upper corner; at the bottom in the middle where left out. */
  place?: (screen: { columns: number; rows: number }, height: number) => CaretPlace;
  /**
   * It stands below the transcript instead of what else does, so that the last words stay in
   * sight above it; otherwise it lies over the window.
   */
  isDocked?: boolean;
}

export interface Window {
  rows: string[];
  caret?: CaretPlace;
}

/** The transcript with the overlay where the prompt would be. */
export function dock(
  { rows, bottom, caret }: { rows: readonly string[]; bottom: number; caret?: CaretPlace },
  overlay: Overlay,
  screen: { columns: number; rows: number },
): Window {
  const shown = overlay.component.render(screen.columns);
  const above = caret && caret.row < bottom ? caret : undefined;
  const own = shown.caret && { row: bottom + shown.caret.row, column: shown.caret.column };
  const whole = { rows: rows.slice(0, bottom).concat(shown.rows.slice(0, screen.rows)) };
  return own || above ? { ...whole, caret: own ?? above! } : whole;
}

/** `window` with the overlay over it; as tall as it must be, never taller than the screen. */
export function compose(
  window: Window,
  overlay: Overlay,
  screen: { columns: number; rows: number },
): Window {
  const width = Math.min(Math.max(overlay.columns ?? screen.columns, 1), screen.columns);
  const { rows: all, caret } = overlay.component.render(width);
  const shown = all.slice(0, screen.rows);
  const tall = Math.max(window.rows.length, shown.length);
  const inside = { columns: screen.columns, rows: tall };
  const wanted = overlay.place?.(inside, shown.length) ?? {
    row: tall - shown.length,
    column: Math.floor((screen.columns - width) / 2),
  };
  const top = Math.min(Math.max(wanted.row, 0), tall - shown.length);
  const left = Math.min(Math.max(wanted.column, 0), screen.columns - width);
  const rows = window.rows.slice();
  while (rows.length < tall) rows.push("");
  for (const [index, row] of shown.entries()) {
    rows[top + index] = over(rows[top + index]!, row, { left, width, columns: screen.columns });
  }
  return { rows, caret: caret && { row: top + caret.row, column: left + caret.column } };
}

function over(
  under: string,
  row: string,
  place: { left: number; width: number; columns: number },
): string {
  const { left, width, columns } = place;
  if (width === columns) return row;
  const right = sliceColumns(under, left + width, Math.min(displayWidth(under), columns));
  return padRow(sliceColumns(under, 0, left), left) + padRow(row, width) + right;
}
