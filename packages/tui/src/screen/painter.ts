// Turns wanted rows into as few bytes as will do. It knows what stands on the region of the
// screen that is ours, counted from the region's first row, and where the cursor is in it. All
// movement is relative: where the region is on the screen, and what stands above it, is the
// terminal's own business, so that a scrolled reader is never moved and history never touched.

import type { CaretPlace } from "../component.ts";
import { clampRow, displayWidth } from "../width.ts";
import { imageOf, type RowImages } from "./row-image.ts";

interface DrawnRow {
  /** As it was asked for, to see at once whether it changed. */
  source: string;
  /** As it was sent. */
  text: string;
  width: number;
}

export interface PainterOptions {
  columns: number;
  images: RowImages;
  /**
   * tmux wraps a row by the widest thing that ever stood in it, unless the whole row was erased
   * since. Elsewhere erasing only the rest is calmer.
   */
  wholeRows: boolean;
}

const ERASE_BELOW = "\x1b[J";
const ERASE_TO_END_OF_ROW = "\x1b[K";
const ERASE_ROW = "\x1b[2K";
// From the start of a row that may be the screen's first. Erasing the whole screen would make
// tmux move it into history, so the rows below go first and then this one.
const ERASE_FROM_HERE = "\x1b7\x1b[1B\x1b[J\x1b8\x1b[K";

export class Painter {
  readonly #images: RowImages;
  readonly #wholeRows: boolean;
  #columns: number;
  #drawn: DrawnRow[] = [];
  /** The row of the region in which the cursor stands. */
  #row = 0;
  /** -1 where it is not known. */
  #column = -1;

  constructor({ columns, images, wholeRows }: PainterOptions) {
    this.#columns = columns;
    this.#images = images;
    this.#wholeRows = wholeRows;
  }

  get drawn(): readonly Readonly<DrawnRow>[] {
    return this.#drawn;
  }

  get cursor(): CaretPlace {
    return { row: this.#row, column: Math.max(this.#column, 0) };
  }

  /**
   * Puts `rows` where the region is. All but the last `keep` of them have left the region
   * upwards when it is done: the terminal has scrolled them.
   */
  place(rows: readonly string[], keep: number): string {
    let out = "";
    const common = Math.min(this.#drawn.length, rows.length);
    for (let index = 0; index < common; index += 1) {
      const source = rows[index]!;
      const before = this.#drawn[index]!;
      if (before.source === source) continue;
      const row = this.#prepare(source);
      this.#drawn[index] = row;
      if (before.text === row.text) continue;
      const shrinks = row.width < before.width;
      out += this.#moveTo(index) + this.#start();
      if (shrinks && this.#wholeRows) out += ERASE_ROW;
      out += row.text;
      // A row as wide as the screen is never the shorter one: erasing at the last column would
      // take the character there with it.
      if (shrinks && !this.#wholeRows) out += ERASE_TO_END_OF_ROW;
      this.#column = -1;
    }
    out += rows.length < this.#drawn.length ? this.#erase(rows.length) : this.#extend(rows);
    const gone = rows.length - keep;
    if (gone > 0) {
      this.#drawn.splice(0, gone);
      this.#row -= gone;
    }
    return out;
  }

  /** The cursor to its place in the region. */
  moveCursor(place: CaretPlace): string {
    const row = Math.min(Math.max(place.row, 0), Math.max(this.#drawn.length - 1, 0));
    const column = Math.min(Math.max(place.column, 0), this.#columns - 1);
    let out = this.#moveTo(row);
    if (column === this.#column) return out;
    out += this.#start() + (column === 0 ? "" : `\x1b[${column}C`);
    this.#column = column;
    return out;
  }

  /** The region begins anew `up` rows above the cursor, with nothing on it. */
  restart(up: number, columns: number): string {
    this.#columns = columns;
    this.#drawn = [];
    this.#row = 0;
    this.#column = 0;
    return (up > 0 ? `\x1b[${up}A` : "") + "\r" + ERASE_FROM_HERE;
  }

  /** Below the region, for whoever writes next. */
  leave(): string {
    const out = this.moveCursor({ row: this.#drawn.length - 1, column: 0 });
    const end = this.#drawn.length === 0 ? "" : "\r\n";
    this.#drawn = [];
    this.#row = 0;
    this.#column = 0;
    return out + end;
  }

  #extend(rows: readonly string[]): string {
    if (rows.length === this.#drawn.length) return "";
    let out = this.#drawn.length === 0 ? this.#start() : this.#moveTo(this.#drawn.length - 1);
    for (let index = this.#drawn.length; index < rows.length; index += 1) {
      const row = this.#prepare(rows[index]!);
      out += (index === 0 ? "" : "\r\n") + row.text;
      this.#drawn.push(row);
    }
    this.#row = this.#drawn.length - 1;
    this.#column = -1;
    return out;
  }

  #erase(from: number): string {
    const erase = from === 0 ? ERASE_FROM_HERE : ERASE_BELOW;
    const out = this.#moveTo(from) + this.#start() + erase;
    this.#drawn.length = from;
    this.#column = 0;
    return out;
  }

  #prepare(source: string): DrawnRow {
    const image = imageOf(source);
    if (image !== undefined) return { source, text: this.#images.bytes(image), width: 0 };
    const text = clampRow(source, this.#columns);
    return { source, text, width: displayWidth(text) };
  }

  #start(): string {
    const out = this.#column === 0 ? "" : "\r";
    this.#column = 0;
    return out;
  }

  #moveTo(row: number): string {
    const by = row - this.#row;
    this.#row = row;
    if (by === 0) return "";
    // Down by line feeds: if the terminal has become smaller and nobody has told us yet, it has
    // dropped rows below the cursor; these make them anew, where a cursor move would stop short
    // and every row after it would be written one too high.
    return by < 0 ? `\x1b[${-by}A` : "\n".repeat(by);
  }
}
