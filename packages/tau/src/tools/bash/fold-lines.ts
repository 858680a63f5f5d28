// Makes a long output short by its runs of equal lines: lines that differ in their numbers only say
// the same many times over, and the one among them that says something else is what matters. Only
// for what is too long to be shown; the whole is kept elsewhere.

/** Shorter runs are worth reading. */
const LEAST_RUN = 8;
/** Of a run, what shows how it begins; its last line is shown as well. */
const SHOWN_FIRST = 2;
/** Of the lines of a run: a number that so many have in one place is what is usual there. */
const USUAL_SHARE = 0.9;
/** More than that are not odd. */
const MAX_ODD = 20;

export function foldLines(text: string): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  for (let from = 0; from < lines.length;) {
    const shape = shapeOf(lines[from]!);
    const to = shape === "" ? from + 1 : endOfRun(lines, from, shape);
    const run = lines.slice(from, to);
    kept.push(...(run.length < LEAST_RUN ? run : foldRun(run)));
    from = to;
  }
  return kept.join("\n");
}

/** With the lines that have another number where nearly all have the same one. */
function foldRun(run: readonly string[]): string[] {
  const odd = new Set(oddOnes(run));
  const rows: string[] = [];
  let folded = 0;
  const tell = (): void => {
    if (folded > 0) rows.push(`[… ${folded.toLocaleString("en-US")} lines like these …]`);
    folded = 0;
  };
  for (const [at, line] of run.entries()) {
    const isShown = at < SHOWN_FIRST || at === run.length - 1 || odd.has(at);
    if (!isShown) folded++;
    else {
      tell();
      rows.push(line);
    }
  }
  return rows;
}

/** `suite 500: 3 failed` among a thousand with 0. Where many differ, nothing is odd. */
function oddOnes(run: readonly string[]): number[] {
  const numbers = run.map((line) => line.match(/\d+/g) ?? []);
  const odd = new Set<number>();
  for (let place = 0; place < numbers[0]!.length; place++) {
    const usual = usualNumber(numbers, place);
    if (usual === undefined) continue;
    for (const [at, found] of numbers.entries()) {
      if (found[place] !== usual) odd.add(at);
      if (odd.size >= MAX_ODD) return [...odd];
    }
  }
  return [...odd];
}

/** Undefined if there is none: a place that counts has another number in every line. */
function usualNumber(numbers: readonly (readonly string[])[], place: number): string | undefined {
  const counts = new Map<string, number>();
  const mostDifferent = Math.ceil(numbers.length * (1 - USUAL_SHARE)) + 1;
  for (const found of numbers) {
    const number = found[place]!;
    counts.set(number, (counts.get(number) ?? 0) + 1);
    if (counts.size > mostDifferent) return undefined;
  }
  const [number, count] = [...counts].toSorted(([, a], [, b]) => b - a)[0]!;
  return count >= numbers.length * USUAL_SHARE ? number : undefined;
}

function endOfRun(lines: readonly string[], from: number, shape: string): number {
  let to = from + 1;
  while (to < lines.length && shapeOf(lines[to]!) === shape) to++;
  return to;
}

/** Without its numbers. */
function shapeOf(line: string): string {
  return line.replaceAll(/\d+/g, "0");
}
