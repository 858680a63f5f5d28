// Which rows of a conversation are seen. It knows the block and the row at its top, never how
// many rows there are altogether: nobody lays out what is not near. At the end it stays there
// while more comes.

import type { TranscriptBlocks } from "./transcript-blocks.ts";

/** A row of the conversation. */
export interface TranscriptPlace {
  block: number;
  row: number;
}

export interface SeenRow extends TranscriptPlace {
  text: string;
}

/** What stands for a block that is not laid out yet. */
const NOT_YET = "…";
/** Blocks that one frame looks at: empty ones must not make a long walk of it. */
const MAX_BLOCKS_A_FRAME = 500;

export class TranscriptWindow {
  readonly #blocks: TranscriptBlocks;
  /** Undefined at the end. */
  #top: TranscriptPlace | undefined;
  #height = 1;
  /** Rows that could not be gone yet, because a block was not there; below 0 they go up. */
  #owed = 0;

  constructor(blocks: TranscriptBlocks) {
    this.#blocks = blocks;
  }

  get isAtEnd(): boolean {
    return this.#top === undefined;
  }

  get height(): number {
    return this.#height;
  }

  setHeight(rows: number): void {
    this.#height = Math.max(1, rows);
  }

  toTop(): void {
    this.#owed = 0;
    this.#top = { block: 0, row: 0 };
  }

  toEnd(): void {
    this.#owed = 0;
    this.#top = undefined;
  }

  /** So that the row is seen, with some of what is before it. */
  show({ block, row }: TranscriptPlace): void {
    this.#owed = 0;
    this.#top = { block, row };
    this.up(Math.floor(this.#height / 3));
  }

  up(rows: number): void {
    this.#move(-rows);
  }

  down(rows: number): void {
    this.#move(rows);
  }

  /** A block came: what was owed is gone now. */
  settle(): void {
    if (this.#owed !== 0) this.#move(0);
  }

  #move(rows: number): void {
    const wanted = rows + this.#owed;
    this.#owed = 0;
    if (wanted < 0) this.#goUp(-wanted);
    else this.#goDown(wanted);
  }

  #goUp(rows: number): void {
    let { block, row } = this.#top ?? this.#endTop();
    let left = rows;
    for (;;) {
      const step = Math.min(left, row);
      row -= step;
      left -= step;
      if (left === 0 || block === 0) break;
      const above = this.#blocks.rows(block - 1);
      if (!above) {
        this.#owed = -left;
        break;
      }
      block -= 1;
      row = above.length;
    }
    this.#top = { block, row };
  }

  #goDown(rows: number): void {
    if (!this.#top) return;
    let { block, row } = this.#top;
    let left = rows;
    while (left > 0 && block < this.#blocks.length) {
      const here = this.#blocks.rows(block);
      if (!here) {
        this.#owed = left;
        break;
      }
      const rest = Math.max(0, here.length - row);
      const isInside = left < rest;
      row = isInside ? row + left : 0;
      left = isInside ? 0 : left - rest;
      if (!isInside) block += 1;
    }
    this.#top = block < this.#blocks.length ? { block, row } : undefined;
  }

  /** The rows to show, at most as many as the height. */
  rows(): SeenRow[] {
    const top = this.#top ?? this.#endTop();
    const seen: SeenRow[] = [];
    let { block } = top;
    // A block may have become shorter since.
    let from = Math.min(top.row, this.#blocks.rows(block)?.length ?? 0);
    const last = Math.min(this.#blocks.length, block + MAX_BLOCKS_A_FRAME);
    for (; block < last && seen.length < this.#height; block += 1) {
      const rows = this.#blocks.rows(block) ?? [NOT_YET];
      for (let row = from; row < rows.length && seen.length < this.#height; row += 1) {
        seen.push({ block, row, text: rows[row]! });
      }
      from = 0;
    }
    const isShort = seen.length < this.#height && block >= this.#blocks.length;
    // Below the last row there is nothing to see: the end is as far as it goes.
    if (isShort && this.#top && (top.block > 0 || top.row > 0)) {
      this.#top = undefined;
      return this.rows();
    }
    return seen;
  }

  /** The place from which the last row is the last of the window. */
  #endTop(): TranscriptPlace {
    let left = this.#height;
    const first = Math.max(0, this.#blocks.length - MAX_BLOCKS_A_FRAME);
    for (let block = this.#blocks.length - 1; block >= first; block -= 1) {
      const count = this.#blocks.rows(block)?.length ?? 1;
      if (count >= left) return { block, row: count - left };
      left -= count;
    }
    return { block: first, row: 0 };
  }
}
