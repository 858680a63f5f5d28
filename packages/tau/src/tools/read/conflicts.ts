// The unresolved merge conflicts of a text: where each one is, and both sides of it.

import { printRow, type LineSource, type ShowOptions } from "./show-lines.ts";

export interface Conflict {
  /** Lines of the markers, from 1. */
  start: number;
  /** Of the common ancestor, in the style that shows it. */
  base?: number;
  middle: number;
  end: number;
}

export function findConflicts(source: LineSource): Conflict[] {
  const conflicts: Conflict[] = [];
  let open: { start: number; base?: number; middle?: number } | undefined;
  for (let number = 1; number <= source.count; number++) {
    const line = source.line(number);
    if (isMarker(line, "<")) open = { start: number };
    else if (open && isMarker(line, "|") && open.middle === undefined) open.base = number;
    else if (open && isMarker(line, "=") && open.middle === undefined) open.middle = number;
    else if (open?.middle !== undefined && isMarker(line, ">")) {
      const { start, base, middle } = open;
      conflicts.push({ start, base, middle, end: number });
      open = undefined;
    }
  }
  return conflicts;
}

/** Seven of one sign, alone or with a name behind a space. */
function isMarker(line: string, sign: string): boolean {
  return line.startsWith(sign.repeat(7)) && (line.length === 7 || line[7] === " ");
}

export function showConflicts(
  source: LineSource,
  conflicts: readonly (Conflict & { id: string })[],
  onShown: ShowOptions["onShown"],
): string[] {
  const rows: string[] = [];
  for (const { id, start, end } of conflicts) {
    rows.push(`conflict://${id}, lines ${start}-${end}`);
    for (let number = start; number <= end; number++) {
      const text = source.line(number);
      const row = printRow(number, text, "numbers");
      onShown(text, row.to);
      rows.push(row.text);
    }
  }
  return rows;
}
