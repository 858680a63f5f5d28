// Makes a long output short by its runs of equal lines: lines that differ in their numbers only say
// the same many times over, and the one among them that says something else is what matters. Only
// for what is too long to be shown; the whole is kept elsewhere.

/** Shorter runs are worth reading. */
const LEAST_RUN = 8;
/** Of a run, what shows how it begins; its last line is shown as well. */
const SHOWN_FIRST = 2;

export function foldLines(text: string): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  for (let from = 0; from < lines.length;) {
    const shape = shapeOf(lines[from]!);
    const to = shape === "" ? from + 1 : endOfRun(lines, from, shape);
    const folded = to - from - SHOWN_FIRST - 1;
    if (to - from < LEAST_RUN) kept.push(...lines.slice(from, to));
    else {
      kept.push(...lines.slice(from, from + SHOWN_FIRST));
      kept.push(`[… ${folded.toLocaleString("en-US")} lines like these …]`, lines[to - 1]!);
    }
    from = to;
  }
  return kept.join("\n");
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
