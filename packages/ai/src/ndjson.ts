// One JSON text a line, both ways. The decoder takes bytes cut anywhere and gives the same
// frames; it looks at each byte once.

import { FrameTooLarge } from "./frame-too-large.ts";
import { MAX_FRAME_CHARS } from "./sse.ts";
import type { Frame } from "./wire.ts";

export class NdjsonDecoder {
  #decoder = new TextDecoder("utf-8");
  #onFrame: (frame: Frame) => void;
  /** Pieces of the line that has not ended yet. */
  #line: string[] = [];
  #lineChars = 0;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  push(bytes: Uint8Array): void {
    this.#text(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Servers are known to leave out the line break behind the last line. */
  end(): void {
    this.#text(`${this.#decoder.decode()}\n`);
  }

  #text(text: string): void {
    let from = 0;
    for (;;) {
      const to = text.indexOf("\n", from);
      if (to < 0) break;
      this.#line.push(text.slice(from, to));
      const line = this.#line.join("").trim();
      this.#line = [];
      this.#lineChars = 0;
      // Blank lines keep a connection alive and mean nothing.
      if (line !== "") this.#onFrame({ event: "", data: line });
      from = to + 1;
    }
    if (from === text.length) return;
    this.#line.push(text.slice(from));
    this.#lineChars += text.length - from;
    if (this.#lineChars > MAX_FRAME_CHARS) {
      throw new FrameTooLarge(`a line is longer than ${MAX_FRAME_CHARS} characters`);
    }
  }
}

export function encodeNdjson(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
