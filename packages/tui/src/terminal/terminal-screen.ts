// A screen on a terminal: when frames are made and sent. Requests are gathered into one frame;
// none is made while the last is still on its way, so a slow terminal skips frames and never
// rows; none is made between a change of size and the terminal's word on where its cursor is.

import { Screen } from "../screen/screen.ts";
import { Terminal, type TerminalFeatures, type TerminalOptions } from "./terminal.ts";

// One refresh of a common display.
const FRAME_INTERVAL_MS = 16;
// Who presses a key waits for its letter; what merely streams does not.
const KEY_FRAME_INTERVAL_MS = 4;
// A person drags a border; each step would be painted for nothing.
const RESIZE_QUIET_MS = 50;
// A multiplexer moves its panes several times for one gesture.
const MULTIPLEXER_RESIZE_QUIET_MS = 100;

export interface TerminalScreenOptions extends Omit<
  TerminalOptions,
  "onResize" | "onDrain" | "onContinue" | "lastWords"
> {
  /** The size changed; the next frame will be in it. */
  onResize?: () => void;
}

export class TerminalScreen {
  readonly terminal: Terminal;
  readonly screen: Screen;
  #wanted = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #resizeTimer: ReturnType<typeof setTimeout> | undefined;
  #resizing = false;
  #running = false;
  #lastFrameAt = Number.NEGATIVE_INFINITY;
  readonly #onResized: (() => void) | undefined;

  constructor(options: TerminalScreenOptions) {
    this.#onResized = options.onResize;
    this.terminal = new Terminal({
      ...options,
      lastWords: () => (this.#running && !this.#resizing ? this.screen.settle() : ""),
      onResize: () => this.#resizeSoon(),
      onDrain: () => this.#schedule(FRAME_INTERVAL_MS),
      onContinue: () => this.#continue(),
    });
    const { kind, size } = this.terminal;
    this.screen = new Screen({
      ...size,
      multiplexer: kind.multiplexer !== undefined,
      reflow: kind.reflow,
      synchronized: kind.synchronized,
    });
  }

  /** The first frame does not wait for what the terminal says about itself. */
  async start(): Promise<TerminalFeatures> {
    const discovered = this.terminal.start();
    this.#running = true;
    this.#wanted = true;
    this.#paint();
    const features = await discovered;
    this.screen.synchronized = features.synchronized;
    return features;
  }

  /** There is something new to see. Cheap; may be called as often as one likes. */
  requestRender(): void {
    this.#wanted = true;
    this.#schedule(FRAME_INTERVAL_MS);
  }

  /** The same, where somebody has pressed a key and looks for what it does. */
  requestEcho(): void {
    this.#wanted = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#schedule(KEY_FRAME_INTERVAL_MS);
  }

  /** Leaves what is settled on the screen and gives the terminal back. */
  async stop(): Promise<void> {
    if (!this.#running) return;
    this.#halt();
    await this.terminal.stop(this.screen.settle());
  }

  /** Ctrl-Z: until the process goes on, the terminal is the shell's. */
  async suspend(): Promise<void> {
    if (!this.#running) return;
    this.#halt();
    await this.terminal.suspend(this.screen.settle());
  }

  /** Another program has the terminal until `work` is done; then everything is drawn anew. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#running) return work();
    this.#halt();
    return this.terminal.lend(work, this.screen.settle());
  }

  #halt(): void {
    this.#running = false;
    this.#resizing = false;
    clearTimeout(this.#timer);
    clearTimeout(this.#resizeTimer);
    this.#timer = undefined;
  }

  #continue(): void {
    // Stopped without having been asked: whoever had the terminal wrote over the window.
    if (this.#running) this.screen.repaint();
    this.#running = true;
    const { size } = this.terminal;
    if (size.columns !== this.screen.size.columns || size.rows !== this.screen.size.rows) {
      return this.#resizeSoon();
    }
    this.requestRender();
  }

  #schedule(interval: number): void {
    if (!this.#wanted || this.#timer || !this.#running || this.#resizing) return;
    if (!this.terminal.ready) return;
    const wait = this.#lastFrameAt + interval - performance.now();
    this.#timer = setTimeout(() => this.#paint(), Math.max(wait, 0));
  }

  #paint(): void {
    this.#timer = undefined;
    if (!this.#running || this.#resizing || !this.terminal.ready) return;
    const { columns, rows } = this.terminal.size;
    const known = this.screen.size;
    if (columns !== known.columns || rows !== known.rows) return this.#resizeSoon();
    this.#wanted = false;
    this.#lastFrameAt = performance.now();
    this.terminal.write(this.screen.frame());
  }

  #resizeSoon(): void {
    if (!this.#running) return;
    this.#resizing = true;
    clearTimeout(this.#resizeTimer);
    const quiet = this.terminal.kind.multiplexer ? MULTIPLEXER_RESIZE_QUIET_MS : RESIZE_QUIET_MS;
    this.#resizeTimer = setTimeout(() => void this.#resize(), quiet);
  }

  async #resize(): Promise<void> {
    const before = this.terminal.size;
    const cursor = await this.terminal.cursor();
    if (!this.#running) return;
    const { size } = this.terminal;
    // It changed again while we asked: the answer is about a screen that is no more.
    if (size.columns !== before.columns || size.rows !== before.rows) return this.#resizeSoon();
    this.screen.resize(size, cursor);
    this.#resizing = false;
    this.#onResized?.();
    this.requestRender();
  }
}
