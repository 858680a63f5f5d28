// What a grammar writes to. It smooths the seams: the line breaks that a convention puts
// around calls and reasoning belong to neither of them, and a text or thought of nothing
// but blanks is not told at all. Text far from any marker passes unchanged.

import type { DialectSink } from "../dialect.ts";

export class ReplyWriter {
  /** How many calls have been told; behind the first, a result can only be made up. */
  callCount = 0;
  readonly #sink: DialectSink;
  readonly #text: Passage;
  readonly #thinking: Passage;

  constructor(sink: DialectSink) {
    this.#sink = sink;
    this.#text = new Passage((delta) => sink.text(delta));
    this.#thinking = new Passage((delta) => sink.thinking(delta));
  }

  readonly text = (delta: string): void => this.#text.write(delta);
  readonly thinking = (delta: string): void => this.#thinking.write(delta);

  /** Whether nothing but blanks stands before this place in its line. */
  get isAtLineStart(): boolean {
    return this.#text.isAtLineStart;
  }

  /** Whether no text has been told since the last seam. */
  get isFresh(): boolean {
    return this.#text.isEmpty;
  }

  /** A marker that ends a turn: dropped where it does, shown where more text follows. */
  hold(marker: string): void {
    this.#text.hold(marker);
  }

  /** Text and thinking end here; the blanks around this place are the convention's. */
  seam(): void {
    const toldText = this.#text.cut();
    const toldThinking = this.#thinking.cut();
    if (toldText || toldThinking) this.#sink.blockEnd();
  }

  call(name: string, id?: string): CallWriter {
    this.seam();
    this.callCount++;
    this.#sink.callStart(id === undefined ? { name } : { name, id });
    return new CallWriter(this.#sink);
  }

  end(): void {
    this.#text.finish();
    this.seam();
  }
}

/** A run of text or thinking between two seams. */
class Passage {
  readonly #emit: (delta: string) => void;
  /** Blanks and end markers that are told only if something follows them. */
  #held = "";
  #isHoldingMarker = false;
  #isEmpty = true;
  #isAfterSeam = false;

  constructor(emit: (delta: string) => void) {
    this.#emit = emit;
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  get isAtLineStart(): boolean {
    return this.#isEmpty || this.#held.includes("\n");
  }

  write(delta: string): void {
    const end = delta.trimEnd().length;
    if (end === 0) {
      this.#held += delta;
      return;
    }
    const opening = this.#isEmpty && this.#isAfterSeam ? "" : this.#held;
    const body = delta.slice(0, end);
    this.#emit(opening + (this.#isEmpty && this.#isAfterSeam ? body.trimStart() : body));
    this.#held = delta.slice(end);
    this.#isHoldingMarker = false;
    this.#isEmpty = false;
  }

  hold(marker: string): void {
    this.#held += marker;
    this.#isHoldingMarker = true;
  }

  /** Forgets what is held and says whether anything was told. */
  cut(): boolean {
    const told = !this.#isEmpty;
    this.#held = "";
    this.#isHoldingMarker = false;
    this.#isEmpty = true;
    this.#isAfterSeam = true;
    return told;
  }

  /** The reply ends: trailing blanks are the model's own unless an end marker is among them. */
  finish(): void {
    if (!this.#isEmpty && !this.#isHoldingMarker && this.#held !== "") this.#emit(this.#held);
  }
}

/** The arguments of one call on their way to JSON text. */
export class CallWriter {
  readonly #sink: DialectSink;
  #open = "{";

  constructor(sink: DialectSink) {
    this.#sink = sink;
  }

  /** For conventions that carry JSON. */
  readonly json = (text: string): void => this.#sink.callArguments(text);

  /** For conventions that name one value at a time; `settle` or `abandon` must follow. */
  value(key: string, value: unknown): void {
    this.#key(key);
    this.#sink.callArguments(JSON.stringify(value));
  }

  /** Tells a string while it arrives; the result ends it. */
  string(key: string): { write: (text: string) => void; end: () => void } {
    this.#key(key);
    this.#sink.callArguments('"');
    return {
      // Half a surrogate pair is written as an escape, and two escapes make a pair again.
      write: (text) => this.#sink.callArguments(JSON.stringify(text).slice(1, -1)),
      end: () => this.#sink.callArguments('"'),
    };
  }

  /** The call is complete, its values told one by one. */
  settle(): void {
    this.#sink.callArguments(this.#open === "{" ? "{}" : "}");
    this.#sink.callEnd();
  }

  /** The call is complete, its JSON told. */
  end(): void {
    this.#sink.callEnd();
  }

  abandon(): void {
    this.#sink.callBroken();
  }

  #key(key: string): void {
    this.#sink.callArguments(`${this.#open}${JSON.stringify(key)}:`);
    this.#open = ",";
  }
}
