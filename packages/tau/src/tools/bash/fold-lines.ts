// Makes a long output short by its runs of equal lines, or blocks of lines: those that differ in their
// numbers only say the same many times over, and the one among them that says something else is what
// matters. Only for what is too long to be shown; the whole is kept elsewhere.

/** Shorter runs are worth reading. */
const LEAST_RUN = 8;
/** Of a run, what shows how it begins; its last line is shown as well. */
const SHOWN_FIRST = 2;
/** Of the lines of a run: a number that so many have in one place is what is usual there. */
const USUAL_SHARE = 0.9;
/** Lines of a block that repeats: a test with what is said about it, in TAP and its like. */
const MAX_BLOCK_LINES = 12;
/** A directive (`# SKIP`, `# TODO`) is not part of the name. */
const TAP_NAME = /^(\s*(?:ok \d+|# Subtest:)) (?:- )?[^#]*(?=$|#)/;
/** More than that are not odd. */
const MAX_ODD = 20;

export function foldLines(text: string): string {
  const lines = text.split("\n");
  const shapes = lines.map(shapeOf);
  const kept: string[] = [];
  for (let from = 0; from < lines.length;) {
    const { size, count } = runAt(shapes, from);
    const to = from + size * count;
    const run = lines.slice(from, to);
    kept.push(...(count < LEAST_RUN ? run : foldRun(run, size)));
    from = to;
  }
  return kept.join("\n");
}

interface Run {
  /** Lines of what is repeated. */
  size: number;
  count: number;
}

/** The run that begins here, of single lines or of blocks; if there is none, the one line. */
function runAt(shapes: readonly string[], from: number): Run {
  if (shapes[from] !== "") {
    for (let size = 1; size <= MAX_BLOCK_LINES; size++) {
      if (!isBlock(shapes.slice(from, from + size))) continue;
      const count = repeats(shapes, from, size);
      if (count >= LEAST_RUN) return { size, count };
    }
  }
  return { size: 1, count: 1 };
}

/** What is indented belongs to the line above it. */
function isBlock([first, ...rest]: readonly string[]): boolean {
  const indent = indentOf(first!);
  return rest.every((line) => line === "" || indentOf(line) >= indent);
}

function indentOf(line: string): number {
  return line.search(/\S|$/);
}

/** How often the lines here stand one after the other, themselves included. */
function repeats(shapes: readonly string[], from: number, size: number): number {
  let to = from + size;
  while (to < shapes.length && shapes[to] === shapes[to - size]) to++;
  return Math.floor((to - from) / size);
}

/** With what has another number where nearly all have the same one. */
function foldRun(run: readonly string[], size: number): string[] {
  const blocks = Array.from({ length: run.length / size }, (_, at) =>
    run.slice(at * size, (at + 1) * size),
  );
  const odd = new Set(oddOnes(blocks.map((block) => block.map(withoutName).join("\n"))));
  const rows: string[] = [];
  let folded = 0;
  const tell = (): void => {
    if (folded > 0) rows.push(`[… ${folded.toLocaleString("en-US")} lines like these …]`);
    folded = 0;
  };
  for (const [at, block] of blocks.entries()) {
    const isShown = at < SHOWN_FIRST || at === blocks.length - 1 || odd.has(at);
    if (!isShown) folded += size;
    else {
      tell();
      rows.push(...block);
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

/** Without its numbers. */
function shapeOf(line: string): string {
  return withoutName(line).replaceAll(/\d+/g, "0");
}

/** A test that passed, as TAP has it: which one it was is not what anybody looks for in a long output. */
function withoutName(line: string): string {
  return line.replace(TAP_NAME, "$1");
}
