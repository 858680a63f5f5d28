// Pictures. Kitty: the pixels are sent once, and the rows that show them are plain text
// (placeholder characters), so they scroll, survive in history and are never sent twice.
// iTerm2 and Sixel: drawn when their row is painted. The height is reserved in every case, and
// stays when a picture is given up because there are too many.

import { imageRow, type RowImage } from "../screen/row-image.ts";
import { PLACEHOLDER_MARKS } from "./placeholder-marks.ts";
import type { ImageProtocol } from "./terminal-kind.ts";

export interface Picture {
  /** A whole PNG file. */
  png: Uint8Array;
  width: number;
  height: number;
}

export interface CellSize {
  width: number;
  height: number;
}

/** Pixels to Sixel is work for a library; whoever has one brings it. */
export type SixelEncoder = (picture: Picture, size: { width: number; height: number }) => string;

export interface PlacedPicture {
  /** Rows to render: always as many as were reserved. */
  rows: readonly string[];
  /** To be sent once, before the rows are painted. */
  transmit: string;
  /** To be registered under `name` for the last row, where the protocol draws on painting. */
  drawn?: { name: string; image: RowImage };
}

export interface PictureBoxOptions {
  protocol: ImageProtocol | undefined;
  cell?: CellSize;
  sixel?: SixelEncoder;
  /** How many stay in the terminal's memory. */
  budget?: number;
}

const DEFAULT_BUDGET = 16;
const DEFAULT_CELL: CellSize = { width: 8, height: 16 };
const PLACEHOLDER = "\u{10eeee}";
// Kitty takes no more in one escape.
const CHUNK_UNITS = 4_096;
// Ids up to 24 bits fit into the colour of the placeholders.
const FIRST_ID = 0x7a0001;

export class PictureBox {
  readonly #options: PictureBoxOptions;
  readonly #live: number[] = [];
  #lastId = FIRST_ID - 1;

  constructor(options: PictureBoxOptions) {
    this.#options = options;
  }

  /** Columns and rows that a picture takes within the limits, its shape kept. */
  fit(
    picture: Picture,
    limits: { columns: number; rows: number },
  ): { columns: number; rows: number } {
    const cell = this.#options.cell ?? DEFAULT_CELL;
    const maxRows = Math.min(limits.rows, PLACEHOLDER_MARKS.length);
    const maxColumns = Math.min(limits.columns, PLACEHOLDER_MARKS.length);
    const width = Math.max(picture.width, 1) / cell.width;
    const height = Math.max(picture.height, 1) / cell.height;
    const scale = Math.min(1, maxColumns / width, maxRows / height);
    return {
      columns: Math.max(1, Math.min(maxColumns, Math.ceil(width * scale))),
      rows: Math.max(1, Math.min(maxRows, Math.ceil(height * scale))),
    };
  }

  /** Undefined where the terminal shows no pictures; the caller shows words instead. */
  place(picture: Picture, limits: { columns: number; rows: number }): PlacedPicture | undefined {
    const { protocol, sixel } = this.#options;
    const size = this.fit(picture, limits);
    if (protocol === "kitty") return this.#placeKitty(picture, size);
    if (protocol === "iterm2") return this.#placeDrawn(iterm(picture, size), size);
    if (protocol !== "sixel" || !sixel) return undefined;
    const cell = this.#options.cell ?? DEFAULT_CELL;
    const pixels = { width: size.columns * cell.width, height: size.rows * cell.height };
    return this.#placeDrawn(sixel(picture, pixels), size);
  }

  #placeKitty(picture: Picture, size: { columns: number; rows: number }): PlacedPicture {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#live.push(id);
    let transmit = "";
    if (this.#live.length > (this.#options.budget ?? DEFAULT_BUDGET)) {
      transmit += `\x1b_Ga=d,d=I,q=2,i=${this.#live.shift()}\x1b\\`;
    }
    const control = `a=T,U=1,q=2,f=100,i=${id},c=${size.columns},r=${size.rows}`;
    const data = Buffer.from(picture.png).toString("base64");
    for (let at = 0; at === 0 || at < data.length; at += CHUNK_UNITS) {
      const more = at + CHUNK_UNITS < data.length ? 1 : 0;
      const head = at === 0 ? `${control},m=${more}` : `m=${more}`;
      transmit += `\x1b_G${head};${data.slice(at, at + CHUNK_UNITS)}\x1b\\`;
    }
    const color = `\x1b[38;2;${id >> 16};${(id >> 8) & 255};${id & 255}m`;
    const rows = Array.from({ length: size.rows }, (_, row) => {
      const cells = Array.from(
        { length: size.columns },
        (_unused, column) => PLACEHOLDER + PLACEHOLDER_MARKS[row]! + PLACEHOLDER_MARKS[column]!,
      );
      return `${color}${cells.join("")}\x1b[39m`;
    });
    return { rows, transmit };
  }

  #placeDrawn(bytes: string, size: { columns: number; rows: number }): PlacedPicture {
    this.#lastId += 1;
    const name = `picture-${this.#lastId}`;
    const rows = Array.from({ length: size.rows }, () => "");
    rows[size.rows - 1] = imageRow(name);
    return { rows, transmit: "", drawn: { name, image: { bytes, rows: size.rows } } };
  }
}

function iterm(picture: Picture, size: { columns: number; rows: number }): string {
  const data = Buffer.from(picture.png).toString("base64");
  const options = `inline=1;width=${size.columns};height=${size.rows};doNotMoveCursor=1`;
  return `\x1b]1337;File=size=${picture.png.length};${options}:${data}\x07`;
}
