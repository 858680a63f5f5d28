// A unified diff of two texts, for the `diff` helper of cells. Texts that differ too much for a
// fine comparison are compared as one changed block: still true, only longer.

const CONTEXT = 3;
/** Of the table of a fine comparison: 16 MB. */
const MAX_CELLS = 4_000_000;

type Row = { sign: " " | "-" | "+"; line: string };

export function unifiedDiff(a: string, b: string, names: { a: string; b: string }): string {
  if (a === b) return "";
  const rows = compare(splitLines(a), splitLines(b));
  const out = [`--- ${names.a}`, `+++ ${names.b}`];
  let at = 0;
  let [lineA, lineB] = [1, 1];
  while (at < rows.length) {
    let first = at;
    while (first < rows.length && rows[first]!.sign === " ") first++;
    if (first === rows.length) break;
    const from = Math.max(at, first - CONTEXT);
    const to = endOfHunk(rows, first);
    // Rows before the hunk are equal on both sides.
    lineA += from - at;
    lineB += from - at;
    const hunk = rows.slice(from, to);
    const inA = hunk.filter(({ sign }) => sign !== "+").length;
    const inB = hunk.filter(({ sign }) => sign !== "-").length;
    out.push(`@@ -${range(lineA, inA)} +${range(lineB, inB)} @@`);
    out.push(...hunk.map(({ sign, line }) => sign + line));
    lineA += inA;
    lineB += inB;
    at = to;
  }
  return `${out.join("\n")}\n`;
}

function endOfHunk(rows: readonly Row[], first: number): number {
  let last = first;
  for (let at = first; at < rows.length && at - last <= 2 * CONTEXT; at++) {
    if (rows[at]!.sign !== " ") last = at;
  }
  return Math.min(rows.length, last + 1 + CONTEXT);
}

function range(start: number, count: number): string {
  if (count === 1) return String(start);
  return `${count === 0 ? start - 1 : start},${count}`;
}

function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  else lines.push(`${lines.pop()!}\n\\ No newline at end of file`);
  return lines;
}

function compare(a: readonly string[], b: readonly string[]): Row[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  return [
    ...equal(a.slice(0, start)),
    ...middle(a.slice(start, endA), b.slice(start, endB)),
    ...equal(a.slice(endA)),
  ];
}

const equal = (lines: readonly string[]): Row[] => lines.map((line) => ({ sign: " ", line }));

/** By the longest common subsequence. */
function middle(a: readonly string[], b: readonly string[]): Row[] {
  const removed = (line: string): Row => ({ sign: "-", line });
  const added = (line: string): Row => ({ sign: "+", line });
  const width = b.length + 1;
  if ((a.length + 1) * width > MAX_CELLS) return [...a.map(removed), ...b.map(added)];
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      rows.push({ sign: " ", line: a[i]! });
      i++;
      j++;
    } else if (
      j >= b.length ||
      (i < a.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      rows.push(removed(a[i++]!));
    } else rows.push(added(b[j++]!));
  }
  return rows;
}
