// A text with LF for every line end, and the way back to the text itself. Old and new texts
// of a model have LF; the file may have CRLF, or both, and keeps what it has.

import { BYTE_ORDER_MARK, withPlainEndings } from "../line-index.ts";

export interface TextSplice {
  /** Offsets in the plain text. */
  start: number;
  end: number;
  newText: string;
}

export class PlainText {
  readonly text: string;
  readonly #original: string;
  /** Offsets, in the plain text, of the line ends that have a CR before them in the original. */
  readonly #carriageReturns: number[] = [];
  readonly #lineStarts: number[] = [0];
  readonly #markLength: number;

  constructor(original: string) {
    this.#original = original;
    this.#markLength = original.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    this.text = withPlainEndings(original.slice(this.#markLength));
    for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2)) {
      this.#carriageReturns.push(at - this.#markLength - this.#carriageReturns.length);
    }
    for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1)) {
      this.#lineStarts.push(at + 1);
    }
  }

  /** Number of the line, from 1, that holds an offset of the plain text. */
  lineAt(offset: number): number {
    return countUpTo(this.#lineStarts, offset);
  }

  /** The original with the ordered, disjoint splices done. */
  splice(splices: readonly TextSplice[]): string {
    const pieces: string[] = [];
    let done = 0;
    for (const { start, end, newText } of splices) {
      const from = this.#toOriginal(start);
      pieces.push(this.#original.slice(done, from), this.#withEndings(newText, start));
      done = this.#toOriginal(end);
    }
    pieces.push(this.#original.slice(done));
    return pieces.join("");
  }

  #toOriginal(offset: number): number {
    // A place at a line end is before its CR.
    return this.#markLength + offset + countUpTo(this.#carriageReturns, offset - 1);
  }

  /** New line ends are as that of the line the text goes into, or of the line before. */
  #withEndings(newText: string, start: number): string {
    const plain = withPlainEndings(newText);
    const own = this.text.indexOf("\n", start);
    const near = own === -1 ? this.text.lastIndexOf("\n") : own;
    const isCrlf =
      near !== -1 && this.#carriageReturns[countUpTo(this.#carriageReturns, near) - 1] === near;
    return isCrlf ? plain.replaceAll("\n", "\r\n") : plain;
  }
}

/** How many of the rising numbers are at most `limit`. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
