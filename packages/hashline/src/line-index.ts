// Where the lines of a text are. All edit languages count lines through this one file, in
// the way search engines and syntax trees do: a line ends in LF or CRLF, a lone CR is an
// ordinary character, a final line end does not open another line, and a byte order mark
// belongs to the text and not to line 1. Texts are sliced, never joined anew, so that what
// an edit does not touch stays the same to the byte.

export type LineEnding = "\n" | "\r\n";

export const BYTE_ORDER_MARK = "\uFEFF";

const LF = 0x0a;
const CR = 0x0d;

export class LineIndex {
  readonly text: string;
  /** Offset of the first character of each line, and of the end of the text. */
  readonly #starts: number[];

  constructor(text: string) {
    this.text = text;
    let at = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    const starts = [at];
    while (at < text.length) {
      const end = text.indexOf("\n", at);
      at = end === -1 ? text.length : end + 1;
      starts.push(at);
    }
    this.#starts = starts;
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  /** Offset at which line `line` begins (counted from 1); one past the last line is the end. */
  offset(line: number): number {
    return this.#starts[line - 1]!;
  }

  /** The line without its ending. */
  line(line: number): string {
    return this.text.slice(this.offset(line), this.#contentEnd(line));
  }

  /** `undefined` for a last line that is not ended. */
  ending(line: number): LineEnding | undefined {
    const end = this.#contentEnd(line);
    const ending = this.text.slice(end, this.offset(line + 1));
    return ending === "" ? undefined : (ending as LineEnding);
  }

  lines(): string[] {
    return Array.from({ length: this.count }, (_, at) => this.line(at + 1));
  }

  /** True for an empty text too: it holds no line that lacks its end. */
  get isEnded(): boolean {
    return this.count === 0 || this.ending(this.count) !== undefined;
  }

  /**
   * What a new line at `line` should end in: as that line does, else as the nearest ended
   * line before it, else LF.
   */
  endingNear(line: number): LineEnding {
    for (let near = Math.min(line, this.count); near >= 1; near--) {
      const ending = this.ending(near);
      if (ending !== undefined) return ending;
    }
    return "\n";
  }

  #contentEnd(line: number): number {
    const start = this.offset(line);
    let end = this.offset(line + 1);
    if (end > start && this.text.charCodeAt(end - 1) === LF) {
      end--;
      if (end > start && this.text.charCodeAt(end - 1) === CR) end--;
    }
    return end;
  }
}

/** Two texts that differ at most in how their lines end. */
export function haveSameLines(one: string, other: string): boolean {
  return one === other || withPlainEndings(one) === withPlainEndings(other);
}

export function withPlainEndings(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
