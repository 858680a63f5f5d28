// Matches one text line by line, or as a whole where the pattern spans lines, in the way
// ripgrep reports it: a line with several matches is one, matches that touch the same lines
// come together, and a line break at the very end begins no further line.

import type { WholeLine } from "./line-window.ts";
import type { PatternOptions } from "./line-engine.ts";
import type { MatchCollector } from "./match-collector.ts";
import type { PlainPattern } from "./plain-pattern.ts";

/** Longer lines are only tried up to here: backtracking costs more than length. */
const MAX_LINE_CHARS = 256 * 1024;

type Range = readonly [start: number, end: number];

export function countIn(text: string, pattern: PlainPattern): number {
  if (pattern.spansLines)
    return blocksOf(text, pattern).reduce((sum, { ranges }) => sum + ranges.length, 0);
  let count = 0;
  for (const line of linesOf(text)) {
    pattern.regexp.lastIndex = 0;
    if (pattern.regexp.test(line)) count += 1;
  }
  return count;
}

export function collectFrom(
  text: string,
  pattern: PlainPattern,
  { contextBefore, contextAfter }: PatternOptions,
  collector: MatchCollector,
): void {
  const lines = linesOf(text);
  const matched = pattern.spansLines ? matchedBlocks(text, lines, pattern) : undefined;
  let last = 0;
  const passContext = (until: number): void => {
    const after = Math.min(until, last + contextAfter);
    const before = Math.max(after + 1, until - contextBefore + 1, 1);
    for (let line = last + 1; line <= after; line += 1) collector.context(plainLine(lines, line));
    for (let line = before; line <= until; line += 1) collector.context(plainLine(lines, line));
    last = until;
  };
  const found = matched ?? singleLines(lines, pattern);
  for (const block of found) {
    passContext(block.lines[0]!.line - 1);
    collector.match(block);
    last = block.lines.at(-1)!.line;
    if (collector.isPast(last)) return;
  }
  if (last > 0) passContext(Math.min(lines.length, last + contextAfter));
}

interface Found {
  lines: WholeLine[];
  count: number;
}

function* singleLines(lines: readonly string[], { regexp }: PlainPattern): Generator<Found> {
  for (const [index, text] of lines.entries()) {
    const ranges = rangesIn(text.slice(0, MAX_LINE_CHARS), regexp);
    if (ranges.length === 0) continue;
    yield { lines: [{ line: index + 1, kind: "match", text, ranges: solid(ranges) }], count: 1 };
  }
}

function matchedBlocks(text: string, lines: readonly string[], pattern: PlainPattern): Found[] {
  const starts = lineStarts(text);
  return blocksOf(text, pattern).map(({ first, last, ranges }) => ({
    count: first === last ? 1 : ranges.length,
    lines: lines.slice(first, last + 1).map((line, offset) => {
      const begin = starts[first + offset]!;
      const end = begin + line.length;
      return {
        line: first + offset + 1,
        kind: "match" as const,
        text: line,
        ranges: solid(
          ranges.map(([start, stop]) => [
            Math.max(start, begin) - begin,
            Math.min(stop, end) - begin,
          ]),
        ),
      };
    }),
  }));
}

/** Matches by the lines they touch, from 0; those that share a line are one block. */
function blocksOf(
  text: string,
  { regexp }: PlainPattern,
): { first: number; last: number; ranges: Range[] }[] {
  const starts = lineStarts(text);
  const blocks: { first: number; last: number; ranges: Range[] }[] = [];
  let line = 0;
  const lineAt = (position: number): number => {
    while (line + 1 < starts.length && starts[line + 1]! <= position) line += 1;
    return line;
  };
  for (const range of rangesIn(text, regexp)) {
    const first = lineAt(range[0]);
    const last = lineAt(Math.max(range[0], range[1] - 1));
    const block = blocks.at(-1);
    // Neighbouring lines are reported together as well.
    if (block && first <= block.last + 1) {
      block.last = Math.max(block.last, last);
      block.ranges.push(range);
    } else blocks.push({ first, last, ranges: [range] });
  }
  return blocks;
}

/** Those with a length; where nothing is matched there is nothing to show. */
function solid(ranges: readonly Range[]): Range[] {
  return ranges.filter(([start, end]) => start < end);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

function plainLine(lines: readonly string[], line: number): WholeLine {
  return { line, kind: "context", text: lines[line - 1]!, ranges: [] };
}

function rangesIn(text: string, regexp: RegExp): Range[] {
  regexp.lastIndex = 0;
  return [...text.matchAll(regexp)].map((match): Range => [
    match.index,
    match.index + match[0].length,
  ]);
}
