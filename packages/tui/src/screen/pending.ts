// The rows that are not in the terminal's history yet. It knows each component that still has
// such rows, in order, and how far each has been committed. What is committed is forgotten: a
// frame costs what is pending, not what the transcript has become.
//
// A component of which some rows are in history keeps the width it had then, because at
// another width nobody could say where its committed part ends; its remaining rows are split
// where the screen has become narrower. Everything else is rendered at the present width.

import type { CaretPlace, Component } from "../component.ts";
import { displayWidth, sliceColumns, splitRow } from "../width.ts";

interface Entry {
  component: Component;
  /** Set once some of it is in history. */
  begun?: { columns: number; row: number; column: number };
  /** What a final component looks like, rendered once for a width. */
  last?: { columns: number; rows: readonly string[] };
}

/** An entry's rows as they would be painted, and where each ends in the component's own rows. */
interface Laid {
  rows: readonly string[];
  stable: number;
  caret?: CaretPlace;
  /** Only where rows had to be split: the end of each painted row. */
  ends?: readonly { row: number; column: number }[];
}

export interface Composed {
  /** Pending rows, the oldest first. */
  rows: string[];
  /** Leading ones that will not change any more. */
  stable: number;
  /** Where what stands below the transcript begins. */
  bottom: number;
  caret?: CaretPlace;
}

export class PendingRows {
  #transcript: Entry[] = [];
  #bottom: readonly Component[] = [];

  append(component: Component): void {
    this.#transcript.push({ component });
  }

  /** Takes away what is not in history yet; what is there stays. */
  remove(component: Component): void {
    this.#transcript = this.#transcript.filter((entry) => entry.component !== component);
  }

  setBottom(components: readonly Component[]): void {
    this.#bottom = components;
  }

  clear(): void {
    this.#transcript = [];
  }

  /** How many components still have rows that are not in history. */
  get components(): number {
    return this.#transcript.length;
  }

  compose(columns: number): Composed {
    const rows: string[] = [];
    let stable = 0;
    let settled = true;
    let caret: CaretPlace | undefined;
    const done = new Set<Entry>();
    for (const entry of this.#transcript) {
      const laid = lay(entry, columns);
      const isFinal = entry.component.state === "final";
      if (isFinal && laid.rows.length === 0 && settled) done.add(entry);
      if (laid.caret) caret = { row: rows.length + laid.caret.row, column: laid.caret.column };
      for (const row of laid.rows) rows.push(row);
      if (settled) stable += laid.stable;
      settled &&= isFinal;
    }
    if (done.size > 0) this.#transcript = this.#transcript.filter((entry) => !done.has(entry));
    const bottom = rows.length;
    for (const component of this.#bottom) {
      const rendered = component.render(columns);
      if (rendered.caret) {
        caret = { row: rows.length + rendered.caret.row, column: rendered.caret.column };
      }
      for (const row of rendered.rows) rows.push(row);
    }
    return { rows, stable, bottom, caret };
  }

  /** The first `count` pending rows, laid out for `columns`, are in history now. */
  commit(count: number, columns: number): void {
    let left = count;
    let dropped = 0;
    for (const entry of this.#transcript) {
      if (left === 0) break;
      const laid = lay(entry, columns);
      const taken = Math.min(left, laid.rows.length);
      left -= taken;
      if (taken === laid.rows.length && entry.component.state === "final") {
        dropped += 1;
        continue;
      }
      if (taken > 0) advance(entry, laid, taken, columns);
      break;
    }
    if (dropped > 0) this.#transcript.splice(0, dropped);
  }
}

function advance(entry: Entry, laid: Laid, taken: number, columns: number): void {
  const end = laid.ends?.[taken - 1];
  if (end && entry.begun) Object.assign(entry.begun, end);
  else if (entry.begun) Object.assign(entry.begun, { row: entry.begun.row + taken, column: 0 });
  else entry.begun = { columns, row: taken, column: 0 };
}

function lay(entry: Entry, columns: number): Laid {
  const begun = entry.begun;
  const own = rendered(entry, begun?.columns ?? columns);
  if (!begun) return own;
  const rest = own.rows.slice(begun.row);
  const stable = Math.max(own.stable - begun.row, 0);
  const caret = own.caret && {
    row: Math.max(own.caret.row - begun.row, 0),
    column: own.caret.column,
  };
  if (begun.columns <= columns && begun.column === 0) return { rows: rest, stable, caret };
  return split(rest, { ...begun, stable, caret }, columns);
}

/** Rows made for a wider screen, in pieces. */
function split(
  rest: readonly string[],
  begun: { row: number; column: number; stable: number; caret?: CaretPlace },
  columns: number,
): Laid {
  const rows: string[] = [];
  const ends: { row: number; column: number }[] = [];
  let stable = 0;
  let caret: CaretPlace | undefined;
  for (const [index, whole] of rest.entries()) {
    let column = index === 0 ? begun.column : 0;
    const remaining = column === 0 ? whole : sliceColumns(whole, column, displayWidth(whole));
    const parts = splitRow(remaining, columns);
    if (begun.caret?.row === index) {
      const part = Math.min(Math.floor(begun.caret.column / columns), parts.length - 1);
      caret = { row: rows.length + part, column: begun.caret.column - part * columns };
    }
    for (const [at, part] of parts.entries()) {
      column += displayWidth(part);
      rows.push(part);
      const isLast = at === parts.length - 1;
      ends.push(
        isLast ? { row: begun.row + index + 1, column: 0 } : { row: begun.row + index, column },
      );
    }
    if (index < begun.stable) stable = rows.length;
  }
  return { rows, stable, caret, ends };
}

function rendered(entry: Entry, columns: number): Laid {
  const { component, last } = entry;
  if (component.state !== "final") {
    const { rows, stableRows, caret } = component.render(columns);
    return { rows, stable: Math.min(Math.max(stableRows, 0), rows.length), caret };
  }
  const rows = last?.columns === columns ? last.rows : component.render(columns).rows;
  entry.last = { columns, rows };
  return { rows, stable: rows.length };
}
