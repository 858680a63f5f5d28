// Where a fenced block of Python ends: at the first fence outside a string. It only tells
// strings and comments from the rest; what the block says is read when it is whole.

import type { Input, Step } from "./input.ts";
import type { Finder, Found } from "./markers.ts";

const FENCE = "```";

/** Tokens of several shapes; `open` describes a tail that may still become one. */
class Tokens implements Finder {
  readonly #token: RegExp;
  readonly #open: RegExp;

  constructor(token: RegExp, open: RegExp) {
    this.#token = token;
    this.#open = open;
  }

  find(text: string, from: number, isWhole: boolean): Found {
    // No token is longer than three characters, so no open one is longer than two.
    const tail = isWhole ? "" : text.slice(Math.max(from, text.length - 2));
    const decided = text.length - (this.#open.exec(tail)?.[0].length ?? 0);
    this.#token.lastIndex = from;
    const found = this.#token.exec(text);
    if (found && found.index < decided) return { at: found.index, marker: found[0] };
    return { at: decided };
  }
}

const OUTSIDE = new Tokens(/```|#|"""|'''|"|'/g, /(?:`+|"+|'+)$/);

/** What can end, or hide the end of, the thing that a token opened. */
const INSIDE: Readonly<Record<string, Tokens>> = {
  "#": new Tokens(/```|\n/g, /`+$/),
  '"': new Tokens(/"|\\[^]/g, /\\$/),
  "'": new Tokens(/'|\\[^]/g, /\\$/),
  '"""': new Tokens(/"""|\\[^]/g, /(?:"+|\\)$/),
  "'''": new Tokens(/'''|\\[^]/g, /(?:'+|\\)$/),
};

export function* readPythonBody(input: Input): Step<{ text: string; isClosed: boolean }> {
  let text = "";
  const take = (piece: string): void => void (text += piece);
  let opened: string | undefined;
  for (;;) {
    const within = opened === undefined ? OUTSIDE : INSIDE[opened]!;
    const token = yield* input.passUntil(within, take);
    if (token === undefined || token === FENCE) return { text, isClosed: token === FENCE };
    text += token;
    if (opened === undefined) opened = token;
    else if (token === opened || token === "\n") opened = undefined;
  }
}
