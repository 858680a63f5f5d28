// Plain text of a program's output as it comes, for whoever watches: the same as `plainOutput` gives
// of the whole, except that a line that is drawn over becomes lines, for what was shown is shown.
// Pieces may end anywhere, in a character or in a control sequence.

import { plainOutput } from "./plain-output.ts";

const ESCAPE = "\x1b";
/** A control sequence at this place, whole. */
const WHOLE =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-OQ-WYZ\\`-~])/y;
/** The beginning of one, with nothing behind it that could not belong to it. */
const BEGUN = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?|[ -/]*)$/y;
/** Of what looks like a control sequence; longer ones are text that nobody ended. */
const MAX_HELD_CHARACTERS = 4096;

export class PlainStream {
  readonly #decoder = new TextDecoder();
  #held = "";

  push(piece: Uint8Array | string): string {
    const text = typeof piece === "string" ? piece : this.#decoder.decode(piece, { stream: true });
    const all = this.#held + text;
    const cut = beginningOfOpenEnd(all);
    this.#held = all.slice(cut);
    return plain(all.slice(0, cut));
  }

  /** What was held back; of a sequence that never ended, nothing. */
  end(): string {
    const rest = this.#held + this.#decoder.decode();
    this.#held = "";
    return plain(rest.startsWith(ESCAPE) ? "" : rest);
  }
}

function plain(text: string): string {
  return plainOutput(text.replaceAll("\r\n", "\n").replaceAll(/\n*\r+\n*/g, "\n"));
}

/** Where that begins of which only more output tells what it is. */
function beginningOfOpenEnd(text: string): number {
  for (let at = text.indexOf(ESCAPE); at >= 0; at = text.indexOf(ESCAPE, at)) {
    WHOLE.lastIndex = at;
    BEGUN.lastIndex = at;
    if (WHOLE.test(text)) at = WHOLE.lastIndex;
    else if (BEGUN.test(text) && text.length - at <= MAX_HELD_CHARACTERS) return at;
    else at += 1;
  }
  // A line end may be half of one.
  const returns = /\r+$/.exec(text);
  return returns ? returns.index : text.length;
}
