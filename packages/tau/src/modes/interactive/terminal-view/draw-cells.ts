// The cells of an emulated terminal as rows for the real one: characters and SGR, nothing else. What
// a program sent to do something to a terminal has ended in the emulator; only how cells look leaves
// it, and each cell takes the columns that it is counted with.

import { displayWidth, sanitize } from "@tau/tui/width";
import type { IBufferCell, IBufferLine } from "@xterm/headless";

const RESET = "\x1b[0m";
/** Stands for what other terminals may draw wider or narrower than it is counted. */
const ODD = "?";

/** Blanks at the end are left out where they look like nothing. */
export function drawCells(line: IBufferLine, columns: number): string {
  let row = "";
  let blanks = "";
  let style = "";
  let cell: IBufferCell | undefined;
  for (let column = 0; column < columns; column += 1) {
    cell = line.getCell(column, cell);
    if (!cell) break;
    const width = cell.getWidth();
    // The second half of a wide one.
    if (width === 0) continue;
    const wanted = styleOf(cell);
    const text = column + width > columns ? " " : textOf(cell, width);
    if (text === " " && wanted === "" && style === "") {
      blanks += " ";
      continue;
    }
    row += blanks;
    blanks = "";
    if (wanted !== style) row += wanted === "" ? RESET : `\x1b[0;${wanted}m`;
    style = wanted;
    row += text;
  }
  return style === "" ? row : row + RESET;
}

function textOf(cell: IBufferCell, width: number): string {
  const given = cell.getChars();
  if (given === "" || cell.isInvisible()) return " ".repeat(width);
  const text = sanitize(given);
  return displayWidth(text) === width ? text : ODD.padEnd(width);
}

function styleOf(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return "";
  const codes: (number | string)[] = [];
  if (cell.isBold()) codes.push(1);
  if (cell.isDim()) codes.push(2);
  if (cell.isItalic()) codes.push(3);
  if (cell.isUnderline()) codes.push(4);
  if (cell.isInverse()) codes.push(7);
  if (cell.isStrikethrough()) codes.push(9);
  if (cell.isOverline()) codes.push(53);
  if (cell.isFgRGB()) codes.push(rgb(38, cell.getFgColor()));
  else if (cell.isFgPalette()) codes.push(palette({ base: 30, bright: 90 }, cell.getFgColor()));
  if (cell.isBgRGB()) codes.push(rgb(48, cell.getBgColor()));
  else if (cell.isBgPalette()) codes.push(palette({ base: 40, bright: 100 }, cell.getBgColor()));
  return codes.join(";");
}

function rgb(layer: number, color: number): string {
  return `${layer};2;${(color >> 16) & 0xff};${(color >> 8) & 0xff};${color & 0xff}`;
}

/** The first sixteen by their own codes: they are the user's colours. */
function palette({ base, bright }: { base: number; bright: number }, color: number): string {
  if (color < 8) return String(base + color);
  if (color < 16) return String(bright + color - 8);
  return `${base + 8};5;${color}`;
}
