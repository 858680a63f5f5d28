// Rows as a table of plain characters, never wider than its bound: wide characters count two,
// line ends and control characters are written out, and what does not fit is cut visibly.

import type { Cell, RowSet } from "./row-set.ts";

export const TABLE_WIDTH = 120;
export const COLUMN_WIDTH = 40;
/** Narrower columns are not worth showing when there are too many. */
const LEAST_WIDTH = 8;
const SEPARATOR = " | ";
const CUT = "…";

const ESCAPES: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
// Control and format characters, line separators, and what is no character at all.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

export function printCell(cell: Cell): string {
  if (cell === null) return "NULL";
  if (typeof cell === "object") return `<${cell.blobBytes} bytes>`;
  return escapeText(String(cell));
}

function escapeText(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return (
      ESCAPES[character] ?? (code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u{${code}}`)
    );
  });
}

/** The lines of the table; a last line says which columns there was no room for. */
export function renderTable({ columns, rows }: Pick<RowSet, "columns" | "rows">): string[] {
  const headers = columns.map(escapeText);
  const cells = rows.map((row) => row.map(printCell));
  const natural = headers.map((header, at) =>
    Math.min(COLUMN_WIDTH, Math.max(1, width(header), ...cells.map((row) => width(row[at] ?? "")))),
  );
  const widths = fitting(natural);
  const line = (texts: readonly string[]): string =>
    widths
      .map((room, at) => pad(texts[at] ?? "", room))
      .join(SEPARATOR)
      .trimEnd();
  const lines = [
    line(headers),
    widths.map((room) => "-".repeat(room)).join("-+-"),
    ...cells.map(line),
  ];
  if (widths.length === headers.length) return lines;
  const hidden = headers.slice(widths.length);
  lines.push(cut(`[${hidden.length} more columns: ${hidden.join(", ")}]`, TABLE_WIDTH));
  return lines;
}

/** The widest columns give way first; then the last columns go. */
function fitting(natural: readonly number[]): number[] {
  const widths = [...natural];
  const total = () =>
    widths.reduce((sum, room) => sum + room, 0) + SEPARATOR.length * (widths.length - 1);
  while (total() > TABLE_WIDTH) {
    const widest = Math.max(...widths);
    if (widest <= LEAST_WIDTH) widths.pop();
    else widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** Beyond this nobody sees a character, and measuring costs. */
const MEASURED_CHARS = 4 * COLUMN_WIDTH;

function width(text: string): number {
  return Bun.stringWidth(text.slice(0, MEASURED_CHARS));
}

function pad(text: string, room: number): string {
  const shown = cut(text, room);
  return shown + " ".repeat(Math.max(0, room - Bun.stringWidth(shown)));
}

const graphemes = new Intl.Segmenter();

function cut(text: string, room: number): string {
  if (text.length <= room && Bun.stringWidth(text) <= room) return text;
  let shown = "";
  for (const { segment } of graphemes.segment(text.slice(0, room * MEASURED_CHARS))) {
    if (Bun.stringWidth(shown + segment + CUT) > room) break;
    shown += segment;
  }
  return shown.length === text.length ? shown : shown + CUT;
}
