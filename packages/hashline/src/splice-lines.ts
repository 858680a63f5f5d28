// Makes the new text from ordered changes. What no change names is copied as a slice; new
// lines end as the lines they stand among; whether the text ends in a line end stays as it
// was, because that is a property of the file and not of its last line.

import { type LineEnding, LineIndex } from "./line-index.ts";
import type { LineChange } from "./line-change.ts";

export interface SplicedText {
  text: string;
  /** First line of the new text that differs, counted from 1; undefined if nothing does. */
  firstChangedLine: number | undefined;
}

export function spliceLines(index: LineIndex, changes: readonly LineChange[]): SplicedText {
  const out = new LineWriter(index);
  for (const change of changes) {
    out.copyTo(change.start);
    for (const [at, line] of change.body.entries()) out.add(line, endingFor(index, change, at));
    out.skipTo(change.end);
  }
  const text = out.finish();
  return { text, firstChangedLine: firstDifference(index, text, changes) };
}

function endingFor(index: LineIndex, { start, end }: LineChange, at: number): LineEnding {
  if (end > start) return index.endingNear(Math.min(start + at, end - 1));
  // An insertion looks at the line before it, at the start of the file at the one after.
  return index.endingNear(Math.max(start - 1, 1));
}

/** The line that holds the first difference: at or after the first change. */
function firstDifference(
  index: LineIndex,
  text: string,
  changes: readonly LineChange[],
): number | undefined {
  if (text === index.text) return undefined;
  const after = new LineIndex(text);
  let line = Math.max(1, (changes[0]?.start ?? 1) - 1);
  while (line < after.count && line <= index.count && after.line(line) === index.line(line)) line++;
  return Math.max(1, Math.min(line, after.count));
}

/** Output in pieces; holds back a last line end until it is known whether more follows. */
class LineWriter {
  readonly #index: LineIndex;
  readonly #pieces: string[];
  #next = 1;
  /** The ending that the last written line is owed if another line follows. */
  #owed: LineEnding | undefined;
  #isEmpty = true;

  constructor(index: LineIndex) {
    this.#index = index;
    this.#pieces = [index.text.slice(0, index.offset(1))];
  }

  copyTo(line: number): void {
    if (line <= this.#next) return;
    this.#pay();
    const index = this.#index;
    const lastEnding = index.ending(line - 1);
    const end = index.offset(line) - (lastEnding?.length ?? 0);
    this.#pieces.push(index.text.slice(index.offset(this.#next), end));
    this.#owed = lastEnding ?? index.endingNear(line - 1);
    this.#isEmpty = false;
    this.#next = line;
  }

  skipTo(line: number): void {
    this.#next = Math.max(this.#next, line);
  }

  add(line: string, ending: LineEnding): void {
    this.#pay();
    this.#pieces.push(line);
    this.#owed = ending;
    this.#isEmpty = false;
  }

  finish(): string {
    this.copyTo(this.#index.count + 1);
    if (!this.#isEmpty && this.#index.isEnded) this.#pay();
    return this.#pieces.join("");
  }

  #pay(): void {
    if (this.#owed !== undefined) this.#pieces.push(this.#owed);
    this.#owed = undefined;
  }
}
