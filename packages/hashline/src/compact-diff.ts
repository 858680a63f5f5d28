// What an edit did, in few rows: ` LINE:` for lines around, `-LINE:` with the old number,
// `+LINE:` with the new one. And the same as a unified diff for screens and records.

import { alignLines } from "./align-lines.ts";
import { LineIndex } from "./line-index.ts";
import { clipLine, printNumberedLine } from "./numbered-lines.ts";

/** One line on each side shows where a change is; the model has read the rest. */
const COMPACT_CONTEXT = 1; // lines
/** Of a long run the first and last lines tell what it was. */
const MAX_RUN = 12; // rows
/** The whole diff; a model that rewrote a file knows what it wrote. */
const MAX_COMPACT_ROWS = 120;
const UNIFIED_CONTEXT = 3; // lines, as everywhere

interface DiffRow {
  kind: " " | "-" | "+";
  /** Number in the old text for `-`, else in the new one. */
  line: number;
  text: string;
}

interface DiffGroup {
  rows: DiffRow[];
  oldStart: number;
  newStart: number;
}

export function compactDiff(before: string, after: string): string {
  const rows: string[] = [];
  const [old, made] = [before, after].map((text) => new LineIndex(text).lines());
  for (const group of diffGroups(old!, made!, COMPACT_CONTEXT)) {
    if (rows.length > 0) rows.push("…");
    for (const run of runsOf(group.rows)) rows.push(...printRun(run));
  }
  if (rows.length <= MAX_COMPACT_ROWS) return rows.join("\n");
  const left = rows.length - MAX_COMPACT_ROWS;
  return [...rows.slice(0, MAX_COMPACT_ROWS), `[… ${left} more rows left out …]`].join("\n");
}

export function unifiedDiff(path: string, before: string, after: string): string {
  const rows = [`--- a/${path}`, `+++ b/${path}`];
  const groups = diffGroups(markedLines(before), markedLines(after), UNIFIED_CONTEXT);
  for (const { rows: group, oldStart, newStart } of groups) {
    const oldCount = group.filter(({ kind }) => kind !== "+").length;
    const newCount = group.filter(({ kind }) => kind !== "-").length;
    rows.push(`@@ -${place(oldStart, oldCount)} +${place(newStart, newCount)} @@`);
    rows.push(...group.map(({ kind, text }) => `${kind}${text}`));
  }
  return rows.length === 2 ? "" : `${rows.join("\n")}\n`;
}

/** A range of no lines is named by the line before it. */
function place(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}

/** A last line without its end is another line than one with it, and says so in its row. */
function markedLines(text: string): string[] {
  const index = new LineIndex(text);
  const lines = index.lines();
  if (!index.isEnded) lines.push(`${lines.pop()}\n\\ No newline at end of file`);
  return lines;
}

function diffGroups(
  left: readonly string[],
  right: readonly string[],
  context: number,
): DiffGroup[] {
  const runs = [...alignLines(left, right), { left: left.length, right: right.length, length: 0 }];
  const groups: DiffGroup[] = [];
  let leftAt = 0;
  let rightAt = 0;
  /** Exclusive end, in the new text, of what the last group shows. */
  let shown = -1;
  for (const run of runs) {
    if (run.left > leftAt || run.right > rightAt) {
      const lead = Math.min(context, rightAt, leftAt);
      let group = groups.at(-1);
      if (!group || rightAt - lead > shown) {
        group = { rows: [], oldStart: leftAt - lead + 1, newStart: rightAt - lead + 1 };
        groups.push(group);
        shown = rightAt - lead;
      }
      pushContext(group, right, shown, rightAt);
      for (; leftAt < run.left; leftAt++) {
        group.rows.push({ kind: "-", line: leftAt + 1, text: left[leftAt]! });
      }
      for (; rightAt < run.right; rightAt++) {
        group.rows.push({ kind: "+", line: rightAt + 1, text: right[rightAt]! });
      }
      shown = Math.min(rightAt + context, run.right + run.length);
      pushContext(group, right, rightAt, shown);
    }
    leftAt = run.left + run.length;
    rightAt = run.right + run.length;
  }
  return groups;
}

function pushContext(group: DiffGroup, lines: readonly string[], from: number, to: number): void {
  for (let at = from; at < to; at++) {
    group.rows.push({ kind: " ", line: at + 1, text: lines[at]! });
  }
}

function runsOf(rows: readonly DiffRow[]): DiffRow[][] {
  const runs: DiffRow[][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last?.[0]?.kind === row.kind) last.push(row);
    else runs.push([row]);
  }
  return runs;
}

function printRun(run: readonly DiffRow[]): string[] {
  const print = ({ kind, line, text }: DiffRow) =>
    `${kind}${printNumberedLine(line, clipLine(text))}`;
  if (run.length <= MAX_RUN) return run.map(print);
  const half = MAX_RUN / 2;
  const left = run.length - MAX_RUN;
  return [
    ...run.slice(0, half).map(print),
    `[… ${left} rows left out …]`,
    ...run.slice(-half).map(print),
  ];
}
