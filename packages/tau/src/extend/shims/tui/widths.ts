// How wide text is, cut and wrapped, under the family's names.

import { displayWidth, expandTabs, sliceColumns } from "@tau/tui/width";

export function visibleWidth(text: string): number {
  return displayWidth(text);
}

/** At most so wide, with an ellipsis where something was cut; `pad` fills up with spaces. */
export function truncateToWidth(text: string, width: number, ellipsis = "…", pad = false): string {
  const line = expandTabs(String(text));
  const whole = displayWidth(line);
  const room = Math.max(0, width);
  const cut =
    whole <= room
      ? line
      : sliceColumns(line, 0, Math.max(0, room - displayWidth(ellipsis))) +
        sliceColumns(ellipsis, 0, room);
  return pad ? cut + " ".repeat(Math.max(0, room - displayWidth(cut))) : cut;
}

/** Lines no wider than `width`, broken between words if that is possible; styles go on. */
export function wrapTextWithAnsi(text: string, width: number): string[] {
  const room = Math.max(1, width);
  return expandTabs(String(text))
    .split("\n")
    .flatMap((line) => wrapLine(line, room));
}

function wrapLine(line: string, width: number): string[] {
  const whole = displayWidth(line);
  if (whole <= width) return [line];
  const rows: string[] = [];
  for (let from = 0; from < whole;) {
    const row = sliceColumns(line, from, from + width);
    const columns = from + width >= whole ? whole - from : breakIn(line, from, width);
    rows.push(columns === width ? row : sliceColumns(line, from, from + columns));
    from += columns;
    // A blank at which a line was broken is not the beginning of the next.
    while (from < whole && sliceColumns(line, from, from + 1).endsWith(" ") && isBlank(line, from))
      from++;
  }
  return rows;
}

/** After the last blank that fits, or in the middle of a word that is longer than the line. */
function breakIn(line: string, from: number, width: number): number {
  for (let columns = width; columns > 0; columns--) {
    if (isBlank(line, from + columns)) return columns;
  }
  return width;
}

function isBlank(line: string, column: number): boolean {
  const cell = Bun.stripANSI(sliceColumns(line, column, column + 1));
  return cell === " ";
}

export function applyBackgroundToLine(
  line: string,
  width: number,
  paint: (text: string) => string,
): string {
  return paint(truncateToWidth(line, width, "", true));
}

export function sliceByColumn(line: string, from: number, length: number): string {
  return sliceColumns(line, from, from + length);
}
