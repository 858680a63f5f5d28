// Text of any size brought to what can be shown, before anybody measures it: a result may be
// megabytes, and one line of it all of them.

import { cleanLine } from "@tau/tui/components/clean-text";

/** UTF-16 units of a line where all of it is wanted; longer ones are data. */
const MAX_LINE_UNITS = 16 * 1024;
/** Units a column may take: marks and pairs. More per column is an attack on the reader. */
const UNITS_PER_COLUMN = 4;

/** Not between the halves of one character. */
function cutAt(text: string, units: number): string {
  const isHalf = (text.charCodeAt(units - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isHalf ? units - 1 : units);
}

/** A clean line that is to fit one row; what was cut shows as an ellipsis when it is fitted. */
export function rowText(line: string, columns: number): string {
  const most = (Math.max(1, columns) + 1) * UNITS_PER_COLUMN;
  return cleanLine(line.length <= most ? line : cutAt(line, most));
}

/** A clean line to be shown whole; of a very long one its beginning, and how much is missing. */
export function wholeText(line: string): string {
  if (line.length <= MAX_LINE_UNITS) return cleanLine(line);
  const head = cleanLine(cutAt(line, MAX_LINE_UNITS));
  return `${head} … ${line.length - MAX_LINE_UNITS} more characters`;
}

export interface LinePart {
  lines: string[];
  /** Lines that are not among them. */
  left: number;
}

/** By hand, as all here: expressions for what stands at an end look at every place before it. */
function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r")) end--;
  return text.slice(0, end);
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Lines, without empty ones at the end; none of an empty text. */
export function countLines(text: string): number {
  const own = trimmed(text);
  return own === "" ? 0 : countBreaks(own) + 1;
}

export function firstLines(text: string, most: number): LinePart {
  const own = trimmed(text);
  if (own === "") return { lines: [], left: 0 };
  const lines: string[] = [];
  let at = 0;
  while (lines.length < most) {
    const end = own.indexOf("\n", at);
    if (end < 0) return { lines: [...lines, withoutReturn(own.slice(at))], left: 0 };
    lines.push(withoutReturn(own.slice(at, end)));
    at = end + 1;
  }
  return { lines, left: countBreaks(own.slice(at)) + 1 };
}

export function lastLines(text: string, most: number): LinePart {
  const own = trimmed(text);
  if (own === "") return { lines: [], left: 0 };
  const lines: string[] = [];
  let end = own.length;
  while (lines.length < most) {
    const start = own.lastIndexOf("\n", end - 1);
    lines.unshift(withoutReturn(own.slice(start + 1, end)));
    if (start < 0) return { lines, left: 0 };
    end = start;
  }
  return { lines, left: countBreaks(own.slice(0, end)) + 1 };
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
