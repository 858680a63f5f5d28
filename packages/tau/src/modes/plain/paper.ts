// Standard output, with the line that is being typed at its end. What is written meanwhile comes above
// that line, which is drawn again.

import type { LineReader } from "./line-reader.ts";

export class Paper {
  #reader: LineReader | undefined;

  /** Whole lines while there is a line being typed; anything otherwise. */
  readonly write = (text: string): void => {
    if (!this.#reader) {
      process.stdout.write(text);
      return;
    }
    process.stdout.write(`\r\x1b[K${text}`);
    this.#reader.draw();
  };

  /** The line at the end is this one's; without one there is none. */
  below(reader: LineReader | undefined): void {
    this.#reader = reader;
  }
}
