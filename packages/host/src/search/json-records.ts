// Cuts `rg --json` output into records without ever holding a long one: ripgrep has no
// limit on the line inside a record, a gigabyte of text makes a gigabyte of record. Of a
// long one the beginning of its text is kept, and the little that follows the text.

const LINE_BREAK = 10;
const QUOTE = 34;
const BACKSLASH = 92;

/** A record up to this size is handed on whole. */
const MAX_RECORD_BYTES = 256 * 1024;
/** The line's number and the first matches stand within this after the text. */
const TAIL_BYTES = 1024;

export type JsonRecord =
  | { kind: "whole"; bytes: Buffer }
  /** `head` ends inside the string of the text, `tail` begins right behind its quote. */
  | { kind: "long"; head: Buffer; tail: Buffer };

/** Where the text of a match or of a context line begins. */
const TEXT_START = /"lines":\{"(?:text|bytes)":"/;

export class JsonRecords {
  readonly #onRecord: (record: JsonRecord) => boolean;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #long: LongRecord | undefined;

  constructor(onRecord: (record: JsonRecord) => boolean) {
    this.#onRecord = onRecord;
  }

  /** False as soon as the reader of the records has enough. */
  push(chunk: Uint8Array): boolean {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let at = 0;
    for (;;) {
      const end = bytes.indexOf(LINE_BREAK, at);
      this.#hold(bytes.subarray(at, end === -1 ? bytes.length : end));
      if (end === -1) return true;
      if (!this.#finish()) return false;
      at = end + 1;
    }
  }

  #hold(part: Buffer): void {
    if (this.#long) return this.#long.push(part);
    this.#held.push(Buffer.from(part));
    this.#heldBytes += part.length;
    if (this.#heldBytes > MAX_RECORD_BYTES) {
      this.#long = new LongRecord(Buffer.concat(this.#held));
      this.#held = [];
    }
  }

  #finish(): boolean {
    const record: JsonRecord = this.#long?.record() ?? {
      kind: "whole",
      bytes: Buffer.concat(this.#held),
    };
    this.#held = [];
    this.#heldBytes = 0;
    this.#long = undefined;
    return this.#onRecord(record);
  }
}

/** Passes over the rest of the text, then keeps what follows it. */
class LongRecord {
  #head: Buffer;
  #isInText = true;
  #isEscaped = false;
  #tail: Buffer[] = [];
  #tailBytes = 0;

  constructor(start: Buffer) {
    const opened = TEXT_START.exec(start.toString("latin1"));
    const textAt = opened === null ? start.length : opened.index + opened[0].length;
    this.#head = start;
    const end = this.#endOfText(start, textAt);
    if (end !== undefined) {
      this.#head = Buffer.from(start.subarray(0, end));
      this.#keepTail(start.subarray(end + 1));
    }
  }

  push(part: Buffer): void {
    if (!this.#isInText) return this.#keepTail(part);
    const end = this.#endOfText(part, 0);
    if (end !== undefined) this.#keepTail(part.subarray(end + 1));
  }

  record(): JsonRecord {
    return { kind: "long", head: this.#head, tail: Buffer.concat(this.#tail) };
  }

  /** Each byte is looked at a bounded number of times, also in a text of backslashes. */
  #endOfText(bytes: Buffer, from: number): number | undefined {
    let at = this.#isEscaped && from < bytes.length ? from + 1 : from;
    if (at !== from) this.#isEscaped = false;
    let quote = bytes.indexOf(QUOTE, at);
    for (;;) {
      const backslash = bytes.subarray(at, quote === -1 ? bytes.length : quote).indexOf(BACKSLASH);
      if (backslash === -1) break;
      at += backslash + 2;
      if (at > bytes.length) {
        this.#isEscaped = true;
        return undefined;
      }
      if (quote !== -1 && quote < at) quote = bytes.indexOf(QUOTE, at);
    }
    if (quote === -1) return undefined;
    this.#isInText = false;
    return quote;
  }

  #keepTail(part: Buffer): void {
    const room = TAIL_BYTES - this.#tailBytes;
    if (room <= 0) return;
    const kept = Buffer.from(part.subarray(0, room));
    this.#tail.push(kept);
    this.#tailBytes += kept.length;
  }
}
