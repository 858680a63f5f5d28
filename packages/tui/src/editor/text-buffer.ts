// The text of the editor as lines. Every change is one `replace`, which gives back what
// it took away: undo needs nothing else.

/** A place between two characters; `offset` counts UTF-16 units within the line. */
export interface Position {
  line: number;
  offset: number;
}

export interface Replacement {
  removed: string;
  /** Where the inserted text ends. */
  end: Position;
}

// More arguments than this in one call can overflow the stack of the runtime.
const MAX_SPREAD = 10_000;

export class TextBuffer {
  #lines: string[] = [""];

  get lineCount(): number {
    return this.#lines.length;
  }

  /** Empty beyond the last line. */
  line(index: number): string {
    return this.#lines[index] ?? "";
  }

  get text(): string {
    return this.#lines.join("\n");
  }

  get isEmpty(): boolean {
    return this.#lines.length === 1 && this.#lines[0] === "";
  }

  get end(): Position {
    const line = this.#lines.length - 1;
    return { line, offset: this.line(line).length };
  }

  between(from: Position, to: Position): string {
    if (from.line === to.line) return this.line(from.line).slice(from.offset, to.offset);
    return [
      this.line(from.line).slice(from.offset),
      ...this.#lines.slice(from.line + 1, to.line),
      this.line(to.line).slice(0, to.offset),
    ].join("\n");
  }

  /** Puts `text` in the place of what lies between `from` and `to`. */
  replace(from: Position, to: Position, text: string): Replacement {
    const removed = this.between(from, to);
    const head = this.line(from.line).slice(0, from.offset);
    const tail = this.line(to.line).slice(to.offset);
    const inserted = text.includes("\n") ? text.split("\n") : [text];
    const last = inserted.length - 1;
    const offset = (last === 0 ? head.length : 0) + inserted[last]!.length;
    inserted[0] = head + inserted[0]!;
    inserted[last] += tail;
    this.#splice(from.line, to.line - from.line + 1, inserted);
    return { removed, end: { line: from.line + last, offset } };
  }

  #splice(at: number, count: number, lines: string[]): void {
    if (lines.length === 1 && count === 1) this.#lines[at] = lines[0]!;
    else if (lines.length <= MAX_SPREAD) this.#lines.splice(at, count, ...lines);
    else this.#lines = [...this.#lines.slice(0, at), ...lines, ...this.#lines.slice(at + count)];
  }
}

/** The place where `text` ends when it begins at `from`. */
export function endOf(from: Position, text: string): Position {
  const lastBreak = text.lastIndexOf("\n");
  if (lastBreak < 0) return { line: from.line, offset: from.offset + text.length };
  let breaks = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) breaks++;
  return { line: from.line + breaks, offset: text.length - lastBreak - 1 };
}

export const samePosition = (a: Position, b: Position): boolean =>
  a.line === b.line && a.offset === b.offset;

export const isBefore = (a: Position, b: Position): boolean =>
  a.line < b.line || (a.line === b.line && a.offset < b.offset);
