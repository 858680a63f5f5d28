// One line that says what is going on, redrawn in place with the seconds it has taken and
// gone without a trace when something else is written. Nothing ticks while it is hidden.

import { fitLine } from "@tau/tui/width";
import type { Style } from "../base/style.ts";

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const FRAME_MS = 120;
/** What is over at once needs no announcement. */
const APPEARS_AFTER_MS = 400;

export class ProgressLine {
  readonly #write: (text: string) => void;
  readonly #columns: () => number;
  readonly #style: Style;
  #timer: ReturnType<typeof setInterval> | undefined;
  #doing = "";
  #since = 0;
  #tick = 0;
  #isDrawn = false;

  constructor(write: (text: string) => void, columns: () => number, style: Style) {
    this.#write = write;
    this.#columns = columns;
    this.#style = style;
  }

  show(doing: string): void {
    this.#doing = doing;
    if (this.#timer) return;
    this.#since = performance.now();
    this.#timer = setInterval(() => this.#draw(), FRAME_MS);
  }

  /** Wipes the line for something that is to stay; it comes back below. */
  interrupt(): void {
    if (this.#isDrawn) this.#write("\r\x1b[K");
    this.#isDrawn = false;
  }

  /** Stops and wipes the line, so that the next write begins on a clean one. */
  hide(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.interrupt();
  }

  #draw(): void {
    const elapsed = performance.now() - this.#since;
    if (elapsed < APPEARS_AFTER_MS) return;
    const frame = FRAMES[this.#tick++ % FRAMES.length];
    const text = `  ${frame} ${Math.floor(elapsed / 1000)}s  ${this.#doing}`;
    this.#write(`\r${this.#style.dim(fitLine(text, this.#columns() - 1))}\x1b[K`);
    this.#isDrawn = true;
  }
}
