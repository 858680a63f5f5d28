// Server-sent events, both ways. The decoder takes bytes cut anywhere (inside a UTF-8
// sequence, between CR and LF) and gives the same frames; it looks at each byte once.

import { FrameTooLarge } from "./frame-too-large.ts";
import type { Frame } from "./wire.ts";

/** No honest event is larger; a server that never ends a line must not eat the memory. */
export const MAX_FRAME_CHARS = 32 * 1024 * 1024;

/** What keeping a line costs beside its text; otherwise endless empty lines would be free. */
const LINE_COST_CHARS = 64;

export class SseDecoder {
  #decoder = new TextDecoder("utf-8");
  #onFrame: (frame: Frame) => void;
  /** Pieces of the line that has not ended yet. */
  #line: string[] = [];
  #lineChars = 0;
  #afterCr = false;
  #event = "";
  #data: string[] = [];
  #dataChars = 0;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  push(bytes: Uint8Array): void {
    this.#text(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Servers are known to leave out the blank line after the last event. */
  end(): void {
    this.#text(this.#decoder.decode());
    if (this.#lineChars > 0) this.#text("\n");
    this.#dispatch();
  }

  #text(raw: string): void {
    if (raw === "") return;
    const text = this.#normalise(raw);
    let from = 0;
    for (;;) {
      const to = text.indexOf("\n", from);
      if (to < 0) break;
      if (this.#lineChars === 0) this.#takeLine(text.slice(from, to));
      else {
        this.#line.push(text.slice(from, to));
        const whole = this.#line.join("");
        this.#line = [];
        this.#lineChars = 0;
        this.#takeLine(whole);
      }
      from = to + 1;
    }
    if (from < text.length) {
      this.#line.push(text.slice(from));
      this.#lineChars += text.length - from;
      this.#bound(this.#lineChars);
    }
  }

  /** CRLF, CR and LF all end a line; a CR at the end of a piece may have its LF in the next. */
  #normalise(raw: string): string {
    const text = this.#afterCr && raw.startsWith("\n") ? raw.slice(1) : raw;
    this.#afterCr = raw.endsWith("\r");
    return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  }

  #takeLine(line: string): void {
    if (line === "") {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? "" : line.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (field === "data") {
      this.#data.push(value);
      this.#dataChars += value.length + LINE_COST_CHARS;
      this.#bound(this.#dataChars);
    } else if (field === "event") this.#event = value;
  }

  #dispatch(): void {
    const event = this.#event;
    this.#event = "";
    if (this.#data.length === 0) return;
    const data = this.#data.length === 1 ? this.#data[0]! : this.#data.join("\n");
    this.#data = [];
    this.#dataChars = 0;
    this.#onFrame({ event, data });
  }

  #bound(chars: number): void {
    if (chars > MAX_FRAME_CHARS) {
      throw new FrameTooLarge(`an event is larger than ${MAX_FRAME_CHARS} characters`);
    }
  }
}

export function encodeSse(data: string, event?: string): string {
  const head = event === undefined ? "" : `event: ${event}\n`;
  return `${head}data: ${data.replaceAll("\n", "\ndata: ")}\n\n`;
}
