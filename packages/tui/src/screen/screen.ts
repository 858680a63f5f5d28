// The ledger of the screen. It decides, frame by frame, which rows go into the terminal's own
// history and which stand in the window below it, and gives the bytes for that. Its law: a row
// enters history once, in order, after its component has said that it will not change; what is
// there is never written again. Whoever holds a Screen sends the bytes of a frame or does not
// ask for them: the ledger moves on only with a frame that was asked for.

import type { CaretPlace, Component } from "../component.ts";
import { compose, dock, type Overlay, type Window } from "./overlay.ts";
import { Painter } from "./painter.ts";
import { PendingRows } from "./pending.ts";
import { resizeEffect, type Reflow } from "./reflow.ts";
import { RowImages, type RowImage } from "./row-image.ts";

export interface ScreenOptions {
  columns: number;
  rows: number;
  /** Inside one, its history is not ours to erase. */
  multiplexer?: boolean;
  /** What the terminal does with rows that no longer fit; it tracks the cursor where left out. */
  reflow?: Reflow;
  /** Frames are marked so that the terminal shows them at once (DEC mode 2026). */
  synchronized?: boolean;
}

export interface ScreenSize {
  columns: number;
  rows: number;
}

const BEGIN_FRAME = "\x1b[?2026h";
const END_FRAME = "\x1b[?2026l";
const SHOW_CURSOR = "\x1b[?25h";
const HIDE_CURSOR = "\x1b[?25l";
const CLEAR_SCREEN = "\x1b[H\x1b[2J";
const CLEAR_HISTORY = "\x1b[3J";
const MIN_COLUMNS = 2;

export class Screen {
  /** May be set when the terminal has told. */
  synchronized: boolean;
  readonly #multiplexer: boolean;
  readonly #reflow: Reflow;
  readonly #pending = new PendingRows();
  readonly #images = new RowImages();
  readonly #painter: Painter;
  #size: ScreenSize;
  #overlay: Overlay | undefined;
  /** Pending rows above the window that are neither shown nor in history yet. */
  #hidden = 0;
  #committed = 0;
  #stale = 0;
  #cursorShown = true;
  /** Bytes that go with the next frame: clearing, pictures to be transmitted. */
  #before = "";

  constructor(options: ScreenOptions) {
    this.#size = bounded(options);
    this.#multiplexer = options.multiplexer ?? false;
    this.#reflow = options.reflow ?? "tracks";
    this.synchronized = options.synchronized ?? true;
    const { columns } = this.#size;
    this.#painter = new Painter({ columns, images: this.#images, wholeRows: this.#multiplexer });
  }

  get size(): ScreenSize {
    return this.#size;
  }

  /** Rows that have gone into history since the start. */
  get committedRows(): number {
    return this.#committed;
  }

  /** Rows that the terminal itself moved into history before they were settled, on a resize. */
  get staleRows(): number {
    return this.#stale;
  }

  /** Components of which something is not in history yet. */
  get pendingComponents(): number {
    return this.#pending.components;
  }

  append(component: Component): void {
    this.#pending.append(component);
  }

  /** What of it is not in history yet goes away. */
  remove(component: Component): void {
    this.#pending.remove(component);
  }

  /** What stands below the transcript and never enters history: status, editor. */
  setBottom(components: readonly Component[]): void {
    this.#pending.setBottom(components);
  }

  /** Nothing enters history while there is one; what has gathered does when it closes. */
  setOverlay(overlay: Overlay | undefined): void {
    this.#overlay = overlay;
  }

  /** For `imageRow(name)`. */
  setImage(name: string, image: RowImage): void {
    this.#images.set(name, image);
  }

  /** Sent once with the next frame, before anything of it; it must not move the cursor. */
  sendBefore(bytes: string): void {
    this.#before += bytes;
  }

  /**
   * The user asked for another transcript: the screen becomes empty and counting starts anew.
   * History is erased only if that was asked for too, and never inside a multiplexer.
   */
  replace({ eraseHistory }: { eraseHistory: boolean }): void {
    const history = eraseHistory && !this.#multiplexer ? CLEAR_HISTORY : "";
    this.#before += CLEAR_SCREEN + history + this.#painter.restart(0, this.#size.columns);
    this.#pending.clear();
    this.#hidden = 0;
    this.#committed = 0;
  }

  /** The window is painted as if nothing of it stood there: another program wrote over it. */
  repaint(): void {
    this.#before += this.#painter.restart(this.#painter.cursor.row, this.#size.columns);
  }

  /**
   * The terminal has another size. `reported` is where it says the cursor is now; without it
   * the engine assumes that the cursor's row is still on the screen.
   */
  resize(size: ScreenSize, reported?: CaretPlace): void {
    const next = bounded(size);
    const { pushed, leftover, up } = resizeEffect({
      drawn: this.#painter.drawn,
      cursor: this.#painter.cursor,
      ...next,
      reported,
      reflow: this.#reflow,
    });
    const kept = this.#commitPushed(pushed);
    // What is left of the last row in history stays above the window.
    const skip = kept && pushed > 0 ? Math.min(leftover, up) : 0;
    this.#size = next;
    this.#before += this.#painter.restart(up - skip, next.columns);
    this.#hidden = 0;
  }

  /** The bytes that bring the terminal up to date; empty where nothing changed. */
  frame(): string {
    const { columns, rows: height } = this.#size;
    const pending = this.#pending.compose(columns);
    const overlay = this.#overlay;
    const shown = overlay?.isDocked ? dock(pending, overlay, this.#size) : pending;
    const beyond = Math.max(shown.rows.length - height, 0);
    const chunk = overlay ? 0 : Math.min(pending.stable, beyond);
    const top = Math.max(chunk, beyond);
    const window = this.#window(shown.rows.slice(top), shown.caret, top);
    const wanted = chunk === 0 ? window.rows : pending.rows.slice(0, chunk).concat(window.rows);
    let body = this.#painter.place(wanted, window.rows.length);
    if (chunk > 0) this.#pending.commit(chunk, columns);
    this.#committed += chunk;
    this.#hidden = top - chunk;
    const bottom = { row: window.rows.length - 1, column: 0 };
    body += this.#painter.moveCursor(window.caret ?? bottom);
    return this.#finish(body, window.caret !== undefined);
  }

  /**
   * What is settled stays, what is not goes, and the cursor stands below: for when the terminal
   * is given back, for a while or for good. The next frame begins there.
   */
  settle(): string {
    const { columns } = this.#size;
    const pending = this.#pending.compose(columns);
    const rows = pending.rows.slice(0, pending.stable);
    const body = this.#before + this.#painter.place(rows, rows.length) + this.#painter.leave();
    this.#before = "";
    this.#pending.commit(rows.length, columns);
    this.#committed += rows.length;
    this.#hidden = 0;
    const cursor = this.#cursorShown ? "" : SHOW_CURSOR;
    this.#cursorShown = true;
    return body + cursor;
  }

  #window(rows: string[], caret: CaretPlace | undefined, top: number): Window {
    const inWindow = caret && caret.row >= top;
    const window: Window = {
      rows,
      caret: inWindow ? { row: caret.row - top, column: caret.column } : undefined,
    };
    const overlay = this.#overlay;
    return overlay && !overlay.isDocked ? compose(window, overlay, this.#size) : window;
  }

  #finish(body: string, showCursor: boolean): string {
    let out = this.#before + body;
    this.#before = "";
    if (showCursor !== this.#cursorShown) {
      out += showCursor ? SHOW_CURSOR : HIDE_CURSOR;
      this.#cursorShown = showCursor;
    }
    if (out === "") return "";
    if (this.synchronized) return BEGIN_FRAME + out + END_FRAME;
    // Without marks the cursor would be seen running through the rows.
    return this.#cursorShown ? HIDE_CURSOR + out + SHOW_CURSOR : out;
  }

  /**
   * The terminal itself has moved the first `pushed` painted rows into history. True where all
   * of them were such as belong there; others are stale copies that nobody can take back.
   */
  #commitPushed(pushed: number): boolean {
    if (pushed === 0) return true;
    if (this.#hidden > 0) {
      this.#stale += pushed;
      return false;
    }
    const { columns } = this.#size;
    const pending = this.#pending.compose(columns);
    const drawn = this.#painter.drawn;
    let count = 0;
    while (
      count < Math.min(pushed, pending.stable) &&
      drawn[count]?.source === pending.rows[count]
    ) {
      count += 1;
    }
    this.#pending.commit(count, columns);
    this.#committed += count;
    this.#stale += pushed - count;
    return count === pushed;
  }
}

function bounded({ columns, rows }: ScreenSize): ScreenSize {
  return { columns: Math.max(columns, MIN_COLUMNS), rows: Math.max(rows, 1) };
}
