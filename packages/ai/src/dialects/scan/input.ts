// The text of a reply as a grammar reads it: a cursor over what has arrived so far. Every
// reading step is a generator that pauses where the text breaks off, so a grammar is
// written as if the whole text were there and cannot depend on how it was cut. What has
// been read is let go at once; what is kept is at most a header long, so the time spent
// is linear in the text even when it comes one character at a time.

import { mayBecome, type Finder } from "./markers.ts";

/** A reading step; it pauses by yielding and is resumed when there is more. */
export type Step<T = void> = Generator<void, T, void>;

/** `stop`: the model finished. `cut`: a limit or a failure ended the text anywhere. */
export type Ending = "stop" | "cut";

/** No name, tag or gap of any convention is longer; what is longer is prose. */
const HEADER_CHARS = 512;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LESS_THAN = 0x3c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

export class Input {
  #text = "";
  #at = 0;
  #ending: Ending | undefined;

  feed(text: string): void {
    this.#text = this.#at < this.#text.length ? this.#text.slice(this.#at) + text : text;
    this.#at = 0;
  }

  end(ending: Ending): void {
    this.#ending = ending;
  }

  /** Undefined as long as more may come. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** Whether the text has ended and nothing but blanks is left of it. */
  get isAtEnd(): boolean {
    return this.#ended && this.#text.slice(this.#at).trim() === "";
  }

  get #ended(): boolean {
    return this.#ending !== undefined;
  }

  /**
   * Hands on the text up to the next marker and steps over that; undefined at the end.
   * Where the text was cut off, half a marker at its end goes with what it would have begun.
   */
  *passUntil(markers: Finder, emit: (text: string) => void): Step<string | undefined> {
    for (;;) {
      const isWhole = this.#ending === "stop";
      const { at, marker } = markers.find(this.#text, this.#at, isWhole);
      this.#pass(at, emit);
      if (marker !== undefined) {
        this.#at += marker.length;
        return marker;
      }
      if (this.#ended) {
        // One character is too little to tell a marker by.
        if (this.#text.length - this.#at === 1) this.#pass(this.#text.length, emit);
        this.#at = this.#text.length;
        return undefined;
      }
      yield;
    }
  }

  /**
   * The text up to `stop`, which must come within a header's length; nothing is consumed.
   * Undefined as soon as the text cannot be `plausible` any more, so that prose behind a
   * stray marker is not withheld. (Whatever begins a plausible header must be plausible.)
   */
  *before(stop: string, plausible: RegExp): Step<string | undefined> {
    for (;;) {
      const view = this.#text.slice(this.#at, this.#at + HEADER_CHARS + stop.length);
      const at = view.indexOf(stop);
      const header = view.slice(0, at >= 0 ? at : view.length - openLength(view, stop));
      if (!plausible.test(header)) return undefined;
      if (at >= 0) return header;
      if (this.#ended || view.length === HEADER_CHARS + stop.length) return undefined;
      yield;
    }
  }

  /**
   * Waits for a header that `whole` describes and shows it; nothing is consumed. Undefined
   * as soon as the text is neither that nor, as `soFar` describes, the beginning of it.
   */
  *match(whole: RegExp, soFar: RegExp): Step<RegExpExecArray | undefined> {
    for (;;) {
      const header = this.#text.slice(this.#at, this.#at + HEADER_CHARS);
      const found = whole.exec(header);
      if (found) return found;
      if (this.#ended || header.length === HEADER_CHARS || !soFar.test(header)) return undefined;
      yield;
    }
  }

  /** Which of `options` comes next, blanks apart; nothing is consumed. */
  *next(options: readonly string[]): Step<string | undefined> {
    return (yield* this.#ahead(options))?.option;
  }

  /** The same, and steps over the blanks and the option. */
  *accept(options: readonly string[]): Step<string | undefined> {
    const found = yield* this.#ahead(options);
    if (found) this.#at = found.at + found.option.length;
    return found?.option;
  }

  /** Steps over text that `before` or `next` has shown. */
  skip(length: number): void {
    this.#at += length;
  }

  /** Puts back a marker that the step before consumed. */
  unread(marker: string): void {
    this.#at -= marker.length;
  }

  /** Forgets everything that still comes. */
  *drain(): Step {
    for (;;) {
      this.#at = this.#text.length;
      if (this.#ended) return;
      yield;
    }
  }

  /**
   * Hands on one JSON object, blanks before it apart. Markers inside its strings are data.
   * False where it is not one: the text ends, or `closers` begins outside a string.
   */
  *jsonObject(closers: readonly string[], emit: (text: string) => void): Step<boolean> {
    if ((yield* this.next(["{"])) === undefined) return false;
    let depth = 0;
    let isString = false;
    let isEscape = false;
    for (;;) {
      let at = this.#at;
      for (; at < this.#text.length; at++) {
        const char = this.#text.charCodeAt(at);
        if (isEscape) isEscape = false;
        else if (isString) {
          if (char === BACKSLASH) isEscape = true;
          else if (char === QUOTE) isString = false;
        } else if (char === QUOTE) isString = true;
        else if (char === LESS_THAN && this.#mayClose(closers, at)) break;
        else if (char === OPEN_BRACE || char === OPEN_BRACKET) depth++;
        else if ((char === CLOSE_BRACE || char === CLOSE_BRACKET) && --depth === 0) {
          this.#pass(at + 1, emit);
          return true;
        }
      }
      this.#pass(at, emit);
      if (this.#ended || closers.some((closer) => this.#text.startsWith(closer, this.#at))) {
        return false;
      }
      yield;
    }
  }

  #mayClose(closers: readonly string[], at: number): boolean {
    return closers.some(
      (closer) =>
        this.#text.startsWith(closer, at) || (!this.#ended && mayBecome(this.#text, at, closer)),
    );
  }

  *#ahead(options: readonly string[]): Step<{ at: number; option: string } | undefined> {
    for (;;) {
      let at = this.#at;
      while (at < this.#text.length && isBlank(this.#text.charCodeAt(at))) {
        if (at++ - this.#at > HEADER_CHARS) return undefined;
      }
      const option = options.find((one) => this.#text.startsWith(one, at));
      // Also where a shorter option is there already: what the longer one begins with is not it.
      const isOpen = options.some((one) => mayBecome(this.#text, at, one));
      if (!isOpen || this.#ended) return option === undefined ? undefined : { at, option };
      yield;
    }
  }

  #pass(to: number, emit: (text: string) => void): void {
    if (to > this.#at) emit(this.#text.slice(this.#at, to));
    this.#at = to;
  }
}

function isBlank(char: number): boolean {
  return char === 0x20 || (char >= 0x09 && char <= 0x0d);
}

/** How much of `marker` stands at the end of the text. */
function openLength(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}
