// Lines of a text as parsers count them: ended by a line feed, 1-based, offsets in UTF-16
// units. A carriage return belongs to its line.

export class SourceLines {
  readonly text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  /** A last line feed ends a line and begins none. */
  get count(): number {
    const last = this.#starts.length;
    return this.#starts[last - 1] === this.text.length ? last - 1 : last;
  }

  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.text.length;
  }

  /** Without its line feed. */
  textOf(line: number): string {
    const next = this.#starts[line];
    return this.text.slice(this.startOf(line), next === undefined ? undefined : next - 1);
  }

  isBlank(line: number): boolean {
    return this.textOf(line).trim() === "";
  }

  /** The line that an offset is on. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** The line of the last character before an offset that is no white space. */
  lineOfLastInk(from: number, end: number): number {
    let at = end;
    while (at > from + 1 && isSpace(this.text.charCodeAt(at - 1))) at--;
    return this.lineAt(Math.max(from, at - 1));
  }

  /** The spaces and tabs that a line begins with. */
  indentOf(line: number): string {
    return /^[ \t]*/.exec(this.textOf(line))![0];
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
