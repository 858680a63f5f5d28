// Lines of a text as the model sees them: with what an edit refers to, with plain numbers, or
// bare; within what may be shown, and with a word on how to get the rest. A line is shown whole,
// unless it is so long that nothing else would fit; then it says how much of it is shown.

import { printNumberedLine } from "@tau/hashline/numbered-lines";
import { printRange, widenRanges, type LineRange } from "../../resources/line-range.ts";
import type { Selector } from "../../resources/selector.ts";
import { atCharacter, CUT_CHARS, cutNote } from "../seen-lines.ts";

/** Characters; up to here a line is shown whole in any company. Longer ones are data or generated. */
export const LONG_LINE_CHARS = 4000;
/** However many lines are asked for. */
export const MAX_LINES = 3000;
/** Bytes of a page that nobody has chosen: 300 lines of any source. */
const PAGE_BYTES = 24 * 1024;
/** Of a page that was asked for by its lines, or as it is. */
const NAMED_BYTES = 96 * 1024;
/** If all that is shown has no more bytes than these, no line of it is cut. */
const WHOLE_BYTES = 16 * 1024;
/** A number, a colon and a line break. */
const LINE_EXTRA_BYTES = 9;
/** Of one line, by its columns. */
const COLUMN_CHARS = 20_000;
/** A little more than was asked for: what a range begins and ends in is often just outside. */
const AROUND = { before: 1, after: 3 };

export type Numbering = "numbers" | "bare";

export interface ShownLines {
  rows: string[];
  /** The first line that was asked for and is not shown. */
  nextLine?: number;
  /** What is shown, for renderers. */
  ranges: LineRange[];
  /** The first line that is shown in part, and from which column it goes on. */
  cutAt?: { line: number; column: number; isTooLong?: boolean };
}

export interface LineSource {
  count: number;
  /** From 1. */
  line(number: number): string;
}

export interface ShowOptions {
  selector: Selector;
  /** Lines that are shown if none were named. */
  defaultLines: number;
  numbering: Numbering;
  /** Characters of a line at most, if the user says so. */
  maxColumns?: number;
  /** Hears of every line, with the characters of it that are shown. */
  onShown: (line: string, shownChars: number) => void;
}

/** What to show of a text where this is asked for. */
export function wantedRanges(
  { ranges, columns, isRaw }: Selector,
  numbering: Numbering,
): LineRange[] {
  if (!ranges) return [{ first: 1 }];
  // Without numbers nobody could tell which lines were asked for.
  return columns || isRaw || numbering === "bare" ? ranges : widenRanges(ranges, AROUND);
}

/** Lines that may be shown: all that were named, or so many where none were. */
export function lineBudget({ ranges }: Selector, defaultLines: number): number {
  if (!ranges) return Math.min(Math.max(1, defaultLines), MAX_LINES);
  const isOpen = ranges.some(({ last }) => last === undefined);
  const named = ranges.reduce((sum, { first, last }) => sum + (last ?? first) - first + 1, 0);
  const around = ranges.length * (AROUND.before + AROUND.after);
  return isOpen ? MAX_LINES : Math.min(named + around, MAX_LINES);
}

export function byteBudget({ ranges, isRaw }: Selector): number {
  return ranges || isRaw ? NAMED_BYTES : PAGE_BYTES;
}

export function showLines(source: LineSource, options: ShowOptions): ShownLines {
  const { selector, numbering, onShown } = options;
  if (selector.columns) return showColumns(source, selector);
  const ranges = wantedRanges(selector, numbering);
  const budget = {
    lines: lineBudget(selector, options.defaultLines),
    bytes: byteBudget(selector),
  };
  // What was named line by line is wanted whole.
  const isNamed = selector.ranges?.every(({ last }) => last !== undefined) === true;
  const small = isNamed ? budget.bytes : WHOLE_BYTES;
  const cutsAt = isWithin(source, ranges, { lines: budget.lines, bytes: small })
    ? budget.bytes
    : LONG_LINE_CHARS;
  const shown: ShownLines = { rows: [], ranges: [] };
  let previous = 0;
  for (const { first, last = source.count } of ranges) {
    const end = Math.min(last, source.count);
    for (let number = first; number <= end; number++) {
      const text = source.line(number);
      // As it is, or by its own number: only what no page could hold is cut.
      const isWanted = selector.isRaw || (isNamed && isIn(selector.ranges!, number));
      const most = Math.min(isWanted ? budget.bytes : cutsAt, options.maxColumns ?? Infinity);
      const row = printRow(number, text, numbering, most);
      const bytes = Buffer.byteLength(row.text) + 1;
      if (budget.lines <= 0 || (budget.bytes < bytes && shown.rows.length > 0)) {
        return { ...shown, nextLine: number };
      }
      if (previous > 0 && number > previous + 1) shown.rows.push("…");
      shown.rows.push(row.text);
      // Without numbers it is not what an edit is made from.
      if (!selector.isRaw) onShown(text, row.to);
      if (row.to < text.length && (isWanted || !isNamed)) {
        shown.cutAt ??= { line: number, column: row.to + 1, isTooLong: text.length > NAMED_BYTES };
      }
      budget.lines--;
      budget.bytes -= bytes;
      const open = shown.ranges.at(-1);
      if (open?.last === number - 1) open.last = number;
      else shown.ranges.push({ first: number, last: number });
      previous = number;
    }
  }
  return shown;
}

/** Whether the lines that will be shown are few bytes, however long each of them is. */
function isWithin(
  source: LineSource,
  ranges: readonly LineRange[],
  budget: { lines: number; bytes: number },
): boolean {
  let bytes = 0;
  let lines = 0;
  for (const { first, last = source.count } of ranges) {
    const end = Math.min(last, source.count);
    for (let number = first; number <= end && lines < budget.lines; number++, lines++) {
      bytes += Buffer.byteLength(source.line(number)) + LINE_EXTRA_BYTES;
      if (bytes > budget.bytes) return false;
    }
  }
  return true;
}

/** A part of one line, without a number: it is not the line. */
function showColumns(source: LineSource, { ranges, columns }: Selector): ShownLines {
  const number = ranges![0]!.first;
  if (number > source.count) return { rows: [], ranges: [] };
  const text = source.line(number);
  const from = atCharacter(text, Math.min(columns!.first - 1, text.length));
  const wanted = Math.min(columns!.last ?? text.length, from + COLUMN_CHARS, text.length);
  const to = atCharacter(text, wanted);
  const rows = [text.slice(from, to), cutNote(number, from, to, text.length)];
  const shown: ShownLines = { rows, ranges: [{ first: number, last: number }] };
  const isMore = to < text.length && to < (columns!.last ?? text.length);
  return isMore ? { ...shown, cutAt: { line: number, column: to + 1 } } : shown;
}

/** A line of more characters than `most` is shown as far as its beginning. */
export function printRow(
  number: number,
  text: string,
  numbering: Numbering,
  most = LONG_LINE_CHARS,
): { text: string; to: number } {
  const to = text.length > most ? atCharacter(text, Math.min(CUT_CHARS, most)) : text.length;
  const kept =
    to < text.length ? `${text.slice(0, to)}… ${cutNote(number, 0, to, text.length)}` : text;
  return { text: numbering === "bare" ? kept : printNumberedLine(number, kept), to };
}

/** What to ask for to see more. */
export function moreNotes(
  path: string,
  shown: ShownLines,
  count: number | undefined,
  { isRaw }: Pick<Selector, "isRaw">,
): string[] {
  const { cutAt, nextLine } = shown;
  const notes: string[] = [];
  if (cutAt) {
    const { line, column, isTooLong } = cutAt;
    const whole = isTooLong ? "" : `; whole: ${path}:${line}-${line}`;
    notes.push(`[line ${line} goes on: ${path}:${line}:${column}-${whole}]`);
  }
  if (nextLine !== undefined) notes.push(moreNote(path, nextLine, count, isRaw));
  return notes;
}

function isIn(ranges: readonly LineRange[], line: number): boolean {
  return ranges.some(({ first, last = Infinity }) => line >= first && line <= last);
}

export function moreNote(
  path: string,
  nextLine: number,
  count: number | undefined,
  isRaw = false,
): string {
  const total = count === undefined ? "" : ` of ${count}`;
  const raw = isRaw ? ":raw" : "";
  return `[more lines follow${total}; go on with ${path}:${printRange({ first: nextLine })}${raw}]`;
}

/** Past the end of a text is no mistake worth failing for. */
export function pastEndNote(path: string, count: number): string {
  if (count === 0) return `[${path} is empty]`;
  const from = Math.max(1, count - 20);
  return `[${path} has ${count} lines; its end is ${path}:${from}-${count}]`;
}
