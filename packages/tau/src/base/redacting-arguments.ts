// Hides secrets in the arguments of a tool call while they arrive as raw JSON. A secret is looked for
// in what a string says, because its quotes and line breaks are written differently there; a string
// without one is passed on as it was written.

import type { Redactor } from "./redactor.ts";

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const TOKENS = /[^\s,:{}[\]]+/g;
const BETWEEN_TOKENS = /[\s,:{}[\]]/;
/** Backslash, u and four digits. */
const LONG_ESCAPE = 6;

export class RedactingArguments {
  readonly #redactor: Redactor;
  readonly #between: HeldTokens;
  #string: HeldString | undefined;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
    this.#between = new HeldTokens(redactor);
  }

  push(text: string): string {
    let out = "";
    let from = 0;
    while (from < text.length) {
      if (!this.#string) {
        const quote = text.indexOf('"', from);
        const to = quote === -1 ? text.length : quote;
        out += this.#between.push(text.slice(from, to));
        if (quote === -1) break;
        out += `${this.#between.end()}"`;
        this.#string = new HeldString(this.#redactor);
        from = quote + 1;
        continue;
      }
      const end = this.#string.read(text, from);
      if (end === undefined) {
        out += this.#string.takeSettled();
        break;
      }
      out += `${this.#string.takeAll()}"`;
      this.#string = undefined;
      from = end + 1;
    }
    return out;
  }

  end(): string {
    return this.#between.end() + (this.#string?.takeAll() ?? "");
  }
}

/**
 * What stands between strings: numbers and words, each passed on when it is whole, because one that is
 * hidden becomes a string. Not all that models write is JSON, so secrets of several words are there too.
 */
class HeldTokens {
  readonly #redactor: Redactor;
  #held = "";

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  push(text: string): string {
    this.#held += text;
    let token = this.#held.length;
    while (token > 0 && !BETWEEN_TOKENS.test(this.#held[token - 1]!)) token--;
    return this.#take(Math.min(token, this.#redactor.openFrom(this.#held)));
  }

  end(): string {
    return this.#take(this.#held.length);
  }

  #take(cut: number): string {
    const given = this.#held.slice(0, cut);
    this.#held = this.#held.slice(cut);
    if (this.#redactor.hide(given) === given) return given;
    const tokens = given.replace(TOKENS, (token) => {
      const hidden = this.#redactor.hideInArguments(token);
      return hidden === token ? token : JSON.stringify(hidden);
    });
    return this.#redactor.hide(tokens);
  }
}

/** A string of which not all was passed on. */
class HeldString {
  readonly #redactor: Redactor;
  #said = "";
  /** As it was written, by the characters that it says. */
  #written: string[] = [];
  #escape = "";

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Returns where its closing quote is, if it has come. */
  read(text: string, from: number): number | undefined {
    for (let at = from; at < text.length; at++) {
      const sign = text[at]!;
      if (this.#escape !== "") this.#readEscape(sign);
      else if (sign === '"') return at;
      else if (sign === "\\") this.#escape = sign;
      else this.#add(sign, sign);
    }
    return undefined;
  }

  takeSettled(): string {
    return this.#take(this.#redactor.openFrom(this.#said));
  }

  takeAll(): string {
    const rest = this.#take(this.#said.length) + this.#escape;
    this.#escape = "";
    return rest;
  }

  #readEscape(sign: string): void {
    this.#escape += sign;
    const isLong = this.#escape[1] === "u";
    if (isLong && this.#escape.length < LONG_ESCAPE) return;
    const said = isLong
      ? String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16))
      : (SHORT_ESCAPES[sign] ?? sign);
    this.#add(said, this.#escape);
    this.#escape = "";
  }

  #add(said: string, written: string): void {
    this.#said += said;
    this.#written.push(written);
  }

  #take(cut: number): string {
    const said = this.#said.slice(0, cut);
    const hidden = this.#redactor.hideInArguments(said);
    const written = this.#written.slice(0, cut).join("");
    this.#said = this.#said.slice(cut);
    this.#written = this.#written.slice(cut);
    return hidden === said ? written : JSON.stringify(hidden).slice(1, -1);
  }
}
