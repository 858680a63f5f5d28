// Foreign text as it comes in pieces, made harmless for a terminal: an escape sequence may be cut
// anywhere, so its beginning waits for the rest.

import { sanitize } from "@tau/tui/width";

/** No sequence that means anything is longer; what is, is taken out as far as it came. */
const MAX_HELD_CHARS = 4096;
/** What a later piece may still complete: an escape, or a carriage return before a newline. */
const OPEN =
  /(?:\r|\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b\u009c]*\u001b?|[ -/]*)?|\u009b[0-?]*[ -/]*|[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u009c]*)$/;

export class CleanStream {
  #held = "";

  push(piece: string): string {
    const text = this.#held + piece;
    const open = OPEN.exec(text);
    const isHeld = open !== null && text.length - open.index <= MAX_HELD_CHARS;
    const end = isHeld ? open.index : text.length;
    this.#held = text.slice(end);
    return sanitize(text.slice(0, end));
  }

  /** Nothing follows: what waits was never finished. */
  end(): void {
    this.#held = "";
  }
}
