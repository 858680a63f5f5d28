// Lines of a text as the model sees them: with what an edit refers to, with plain numbers, or
// bare; within what may be shown, and with a word on how to get the rest.

import { printNumberedLine } from "@tau/hashline/numbered-lines";
import { printRange, widenRanges, type LineRange } from "../../resources/line-range.ts";
import type { Selector } from "../../resources/selector.ts";

/** Columns; longer lines are generated text or data, and their head tells as much. */
export const MAX_LINE_CHARS = 512;
/** However many lines are asked for. */
export const MAX_LINES = 3000;
const BASE_BYTES = 50 * 1024;
/** So that a thousand lines that were asked for are a thousand lines. */
const BYTES_PER_LINE = 512;
/** A little more than was asked for: what a range begins and ends in is often just outside. */
const AROUND = { before: 1, after: 3 };

export type Numbering = "numbers" | "bare";

export interface ShownLines {
  rows: string[];
  /** The first line that was asked for and is not shown. */
  nextLine?: number;
  /** What is shown, for renderers. */
  ranges: LineRange[];
  cutLines: number;
}

/** What to show of a text where this is asked for. */
export function wantedRanges({ ranges }: Selector): LineRange[] {
  return ranges ? widenRanges(ranges, AROUND) : [{ first: 1 }];
}

/** Lines that may be shown: all that were named, or so many where none were. */
export function lineBudget({ ranges }: Selector, defaultLines: number): number {
  if (!ranges) return Math.min(Math.max(1, defaultLines), MAX_LINES);
  const isOpen = ranges.some(({ last }) => last === undefined);
  const named = ranges.reduce((sum, { first, last }) => sum + (last ?? first) - first + 1, 0);
  const around = ranges.length * (AROUND.before + AROUND.after);
  return Math.min(isOpen ? Math.max(named, defaultLines) + around : named + around, MAX_LINES);
}

export function byteBudget(lines: number): number {
  return Math.max(BASE_BYTES, lines * BYTES_PER_LINE);
}

export interface LineSource {
  count: number;
  /** From 1. */
  line(number: number): string;
}

export function showLines(
  source: LineSource,
  ranges: readonly LineRange[],
  options: { lines: number; numbering: Numbering },
): ShownLines {
  const budget = { lines: options.lines, bytes: byteBudget(options.lines) };
  const shown: ShownLines = { rows: [], ranges: [], cutLines: 0 };
  let previous = 0;
  for (const { first, last = source.count } of ranges) {
    const end = Math.min(last, source.count);
    for (let number = first; number <= end; number++) {
      const row = printRow(number, source.line(number), options.numbering);
      if (budget.lines <= 0 || (budget.bytes < row.text.length && shown.rows.length > 0)) {
        return { ...shown, nextLine: number };
      }
      if (previous > 0 && number > previous + 1) shown.rows.push("…");
      shown.rows.push(row.text);
      if (row.isCut) shown.cutLines++;
      budget.lines--;
      budget.bytes -= row.text.length + 1;
      const open = shown.ranges.at(-1);
      if (open?.last === number - 1) open.last = number;
      else shown.ranges.push({ first: number, last: number });
      previous = number;
    }
  }
  return shown;
}

export function printRow(
  number: number,
  text: string,
  numbering: Numbering,
): { text: string; isCut: boolean } {
  const isCut = text.length > MAX_LINE_CHARS;
  const kept = isCut ? `${cutAtCharacter(text)}…` : text;
  return { text: numbering === "bare" ? kept : printNumberedLine(number, kept), isCut };
}

function cutAtCharacter(text: string): string {
  const end = MAX_LINE_CHARS;
  const isHalf = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isHalf ? end - 1 : end);
}

/** What to ask for to see more. */
export function moreNote(path: string, nextLine: number, count: number | undefined): string {
  const total = count === undefined ? "" : ` of ${count}`;
  return `[more lines follow${total}; go on with ${path}:${printRange({ first: nextLine })}]`;
}

/** Past the end of a text is no mistake worth failing for. */
export function pastEndNote(path: string, count: number): string {
  if (count === 0) return `[${path} is empty]`;
  const from = Math.max(1, count - 20);
  return `[${path} has ${count} lines; its end is ${path}:${from}-${count}]`;
}
