// The end of a path that says which part of it is wanted, and how: `:10-20`, `:10+5`,
// `:5-6,1-2`, `:3:513-1024` (columns of a line), `:raw`, `:conflicts`. Only what has exactly one of these forms is a selector;
// every other colon belongs to the path, since archives, databases, drives and ports use
// colons too.

import { ToolError } from "@tau/agent/tool";
import { mergeRanges, type LineRange } from "./line-range.ts";

export interface Selector {
  /** In order, without overlaps; undefined for all of it. */
  ranges?: LineRange[];
  /** Of the one line that is named. */
  columns?: LineRange;
  /** As it is: no summary, no numbers, no conversion. */
  isRaw: boolean;
  /** The unresolved merge conflicts. */
  isConflicts: boolean;
}

export interface SelectedPath {
  path: string;
  selector: Selector;
}

export const WHOLE: Selector = { isRaw: false, isConflicts: false };

const ONE = "L?\\d+(?:[-+](?:L?\\d+)?)?";
const RANGES = new RegExp(`^${ONE}(?:,${ONE})*$`);
const ONE_NUMBER = /^L?\d+$/;
const PART = /^L?(\d+)(?:([-+])(?:L?(\d+))?)?$/;

/** Throws a `ToolError` for a selector whose numbers make no sense. */
export function splitSelector(input: string): SelectedPath {
  const last = cutSuffix(input);
  if (!last) return { path: input, selector: WHOLE };
  if (last.suffix === "conflicts") {
    return { path: last.path, selector: { isRaw: false, isConflicts: true } };
  }
  const before = cutSuffix(last.path);
  if (last.suffix === "raw") {
    if (!before || !RANGES.test(before.suffix)) {
      return { path: last.path, selector: { isRaw: true, isConflicts: false } };
    }
    return { path: before.path, selector: rangeSelector(before.suffix, { isRaw: true }) };
  }
  const columns = columnSelector(before, last.suffix);
  if (columns) return columns;
  const isRaw = before?.suffix === "raw";
  return { path: isRaw ? before.path : last.path, selector: rangeSelector(last.suffix, { isRaw }) };
}

function cutSuffix(path: string): { path: string; suffix: string } | undefined {
  const colon = path.lastIndexOf(":");
  if (colon <= 0) return undefined;
  const suffix = path.slice(colon + 1);
  const isSelector = suffix === "raw" || suffix === "conflicts" || RANGES.test(suffix);
  return isSelector ? { path: path.slice(0, colon), suffix } : undefined;
}

/** `a.ts:3:513-1024`, and `a.ts:3:7`, which is how compilers say where something is. */
function columnSelector(
  before: { path: string; suffix: string } | undefined,
  suffix: string,
): SelectedPath | undefined {
  if (!before || !ONE_NUMBER.test(before.suffix) || suffix.includes(",")) return undefined;
  const line = parseRange(before.suffix);
  if (ONE_NUMBER.test(suffix)) {
    return { path: before.path, selector: { ranges: [line], isRaw: false, isConflicts: false } };
  }
  const ranges = [{ first: line.first, last: line.first }];
  const columns = parseRange(suffix);
  return { path: before.path, selector: { ranges, columns, isRaw: false, isConflicts: false } };
}

function rangeSelector(text: string, { isRaw }: { isRaw: boolean }): Selector {
  const ranges = mergeRanges(text.split(",").map(parseRange));
  return { ranges, isRaw, isConflicts: false };
}

function parseRange(part: string): LineRange {
  const [, start, sign, amount] = PART.exec(part)!;
  const first = lineNumber(start!);
  if (first === 0) throw new ToolError("Lines are counted from 1: use :1, not :0.");
  if (sign === undefined || (sign === "-" && amount === undefined)) return { first };
  if (sign === "-") {
    const last = lineNumber(amount!);
    if (last < first) {
      throw new ToolError(`The range ${part} ends before it begins: use :${last}-${first}.`);
    }
    return { first, last };
  }
  const count = amount === undefined ? 0 : lineNumber(amount);
  if (count < 1) throw new ToolError(`${part} names no lines: say how many, as in :${first}+20.`);
  return { first, last: Math.min(first + count - 1, Number.MAX_SAFE_INTEGER) };
}

function lineNumber(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}
