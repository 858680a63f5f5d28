// How much of its long lines the model has seen. An edit that replaces a line by what was seen of a
// part of it would lose the rest, so it is refused until the line has been shown whole.

import { ToolError } from "@tau/agent/tool";

/** Characters of a line that is too long to be shown whole; nobody cuts a shorter one. */
export const CUT_CHARS = 512;

/** What is left of a cut line after a few changes has at least so many. */
const PART_CHARS = CUT_CHARS / 2;
/** By which a part is known again. */
const PROBE_CHARS = 64;
const QUOTED_CHARS = 40;
/** More than a day's reading; the oldest are forgotten first. */
const MAX_LINES = 50_000;

export class SeenLines {
  /** The lengths of those that were shown in part when they were last shown; whole ones have none. */
  readonly #lines = new Map<string, number | undefined>();
  /** Shorter lines are never cut. */
  readonly #least: number;

  constructor(maxColumns = CUT_CHARS) {
    this.#least = Math.min(CUT_CHARS, maxColumns);
  }

  /** A line has been shown, or the model has written it. What was seen last is what it works with. */
  note(source: string, line: string, shownChars = line.length): void {
    if (line.length <= this.#least) return;
    const key = keyOf(source, line);
    this.#lines.delete(key);
    this.#lines.set(key, shownChars < line.length ? line.length : undefined);
    if (this.#lines.size > MAX_LINES) this.#lines.delete(this.#lines.keys().next().value!);
  }

  isUnseen(source: string, line: string): boolean {
    if (line.length <= this.#least) return false;
    const key = keyOf(source, line);
    return !this.#lines.has(key) || this.#lines.get(key) !== undefined;
  }

  /** Throws a `ToolError` if a text has only a part of a line that has not been shown whole. */
  refuseShortened(source: string, before: string, after: string): void {
    const kept = Map.groupBy(longLines(after), (line) => line);
    // One that was there twice may be gone once.
    const unseen = Map.groupBy(longLines(before), (line) => line)
      .entries()
      .filter(([line, before]) => before.length > (kept.get(line)?.length ?? 0))
      .map(([line]) => line)
      .filter((line) => this.isUnseen(source, line))
      .toArray();
    if (unseen.length === 0) return;
    const old = new Set(longLines(before, PART_CHARS));
    const written = longLines(after, PART_CHARS).filter((line) => !old.has(line));
    for (const line of unseen) {
      if (!written.some((part) => probesOf(part).some((probe) => line.includes(probe)))) continue;
      throw new ToolError(
        `The file has a line of ${line.length} characters of which only a part has been shown, and the text has only a part of it (${JSON.stringify(line.slice(0, QUOTED_CHARS))}…). Change other lines with edit, or read that line whole first. Nothing was changed.`,
      );
    }
  }

  /** Throws a `ToolError` if a text has the note in it that stands in a listing for the rest of a line. */
  refuseNoteIn(text: string): void {
    for (const [note, total] of text.matchAll(CUT_NOTE)) {
      const length = Number(total!.replaceAll(",", ""));
      const isCut = this.#lines.values().some((cut) => cut === length);
      if (isCut) {
        throw new ToolError(
          `The text has "${note}" in it, which stands in a listing for the rest of a long line. Read that line whole, and send all of it. Nothing was changed.`,
        );
      }
    }
  }
}

function keyOf(source: string, line: string): string {
  return `${Bun.hash(line).toString(36)} ${line.length} ${source}`;
}

const CUT_NOTE = /\[line [\d,]+: (?:characters [\d,]+-)?[\d,]+ of ([\d,]+)(?: characters)?\]/g;

/** What stands behind the shown part of a line. */
export function cutNote(number: number, from: number, to: number, length: number): string {
  const [line, shown, all] = [number, to, length].map((each) => each.toLocaleString("en-US"));
  return from === 0
    ? `[line ${line}: ${shown} of ${all} characters]`
    : `[line ${line}: characters ${(from + 1).toLocaleString("en-US")}-${shown} of ${all}]`;
}

/** The index, or the one before it if it would split a character. */
export function atCharacter(text: string, index: number): number {
  const isHalf = (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
  return isHalf && index < text.length ? index - 1 : index;
}

/** Without their ends, and without the mark that a text may begin with. */
export function longLines(text: string, least = CUT_CHARS): string[] {
  const lines: string[] = [];
  for (let from = text.startsWith("\uFEFF") ? 1 : 0; from < text.length;) {
    const newline = text.indexOf("\n", from);
    const to = newline < 0 ? text.length : newline;
    if (to - from > least) lines.push(text.slice(from, to).replace(/\r$/, ""));
    from = to + 1;
  }
  return lines;
}

/** Of its beginning, its middle and its end: a change leaves one of them as it was. */
function probesOf(line: string): string[] {
  const last = line.length - PROBE_CHARS;
  return [0, last >> 1, last].map((at) => line.slice(at, at + PROBE_CHARS));
}
