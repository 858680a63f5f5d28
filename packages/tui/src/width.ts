// How wide text is on a terminal, and how to make it fit: measure, cut, wrap, clean. One model
// of width for the whole program: two that disagree tear a screen apart. Where terminals
// disagree among themselves (format characters, lone marks), the character does not reach
// them; where they may take less than is counted here, the row is merely short.

import { CLOSE_LINK, StyleState } from "./screen/style-state.ts";

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const ELLIPSIS = "…";
const TAB_COLUMNS = 4;
// A CSI, an OSC/DCS/APC/PM/SOS string, or a short escape; unfinished ones to the end.
const ESCAPE =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_](?:[^\u0007\u001b]|\u001b(?!\\))*(?:\u0007|\u001b\\|$)|[ -/]*[0-~]?)/y;
const ALL_ESCAPES = new RegExp(ESCAPE.source, "g");
// Invisible or direction-changing: some terminals give them a column, some none, some obey.
// ZWJ and variation selectors are inside graphemes and stay.
const FORMAT =
  /[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{110bd}\u{110cd}\u{13430}-\u{1345f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0001}]/gu;
const EMOJI_STYLE = "\ufe0f";
// Marks after another character that some terminals give columns of their own: those of East
// Asian scripts, and those that are younger than the tables of many terminals.
const DISPUTED_MARKS =
  /(?<=.)(?:[\u0897-\u089f\u08ca-\u08d2]|\u0c3c|\u0ece|\u180f|[\u1ac1-\u1aff]|\u1dfa|[\u302a-\u302f]|\u3099|\u309a|[\u{10000}-\u{1efff}])/gsu;
const LEADING_MARKS = /^[\p{M}\u200d]+/u;
// Beyond this, marks piled on one character are an attack on the reader, not a script.
const MAX_GRAPHEME_UNITS = 64;

let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** Columns of one grapheme, never fewer than a terminal takes. */
function graphemeWidth(grapheme: string): number {
  const first = grapheme.charCodeAt(0);
  if (grapheme.length === 1 && first >= 0x20 && first < 0x7f) return 1;
  // Box drawing and blocks, of which frames and bars are made.
  if (grapheme.length === 1 && first >= 0x2500 && first < 0x25a0) return 1;
  const styled = grapheme.includes(EMOJI_STYLE);
  const width = Bun.stringWidth(styled ? grapheme.replaceAll(EMOJI_STYLE, "") : grapheme);
  if (width === 0) return 0;
  const disputed = grapheme.match(DISPUTED_MARKS)?.length ?? 0;
  if (disputed > 0) return width + disputed + (styled ? 1 : 0);
  if (!styled) return width;
  return /^\p{Emoji}/u.test(grapheme) ? Math.max(width, 2) : width + 1;
}

/** Columns that `text` takes: wide characters two, combining marks and escapes none. */
export function displayWidth(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  let width = 0;
  walk(text, {
    grapheme: (_grapheme, columns) => {
      width += columns;
      return true;
    },
  });
  return width;
}

interface Walker {
  /** False stops the walk. */
  grapheme(grapheme: string, columns: number): boolean;
  escape?(sequence: string): void;
}

/** Goes through graphemes and whole escape sequences; whatever has no width is passed over. */
function walk(text: string, walker: Walker): void {
  for (let at = 0; at < text.length;) {
    if (text.charCodeAt(at) === 0x1b) {
      ESCAPE.lastIndex = at;
      const sequence = ESCAPE.exec(text)?.[0] ?? text[at]!;
      walker.escape?.(sequence);
      at += Math.max(sequence.length, 1);
      continue;
    }
    const next = text.indexOf("\x1b", at);
    const end = next === -1 ? text.length : next;
    if (!walkRun(text.slice(at, end), walker)) return;
    at = end;
  }
}

function walkRun(run: string, walker: Walker): boolean {
  if (PRINTABLE_ASCII.test(run)) {
    for (let at = 0; at < run.length; at += 1) if (!walker.grapheme(run[at]!, 1)) return false;
    return true;
  }
  for (const { segment } of graphemes(run.toWellFormed().replace(FORMAT, ""))) {
    const shown = presentable(segment);
    const columns = graphemeWidth(shown);
    if (columns > 0 && !walker.grapheme(shown, columns)) return false;
  }
  return true;
}

/** Without marks that have nothing to stand on, and without a pile of them. */
function presentable(grapheme: string): string {
  // At the start of a run it would join what stands before it on the screen.
  const based = grapheme.replace(LEADING_MARKS, "");
  if (based.length <= MAX_GRAPHEME_UNITS) return based;
  return [...based].slice(0, MAX_GRAPHEME_UNITS / 2).join("");
}

function isStyle(sequence: string): boolean {
  return /^\u001b\[[0-9;:]*m$/.test(sequence) || /^\u001b\]8;.*(\u0007|\u001b\\)$/s.test(sequence);
}

/**
 * The columns `from` to `to` of a row, in the style they have there. Of a wide character that
 * is cut through, a space remains. Escapes other than for styles and links are dropped.
 */
export function sliceColumns(row: string, from: number, to: number): string {
  if (to <= from) return "";
  if (PRINTABLE_ASCII.test(row)) return row.slice(Math.max(from, 0), Math.max(to, 0));
  const style = new StyleState();
  let column = 0;
  let slice = "";
  let started = false;
  walk(row, {
    escape(sequence) {
      if (!isStyle(sequence)) return;
      style.apply(sequence);
      if (started) slice += sequence;
    },
    grapheme(grapheme, columns) {
      const start = column;
      column += columns;
      if (column <= from) return true;
      if (start >= to) return false;
      if (!started) slice += style.open();
      started = true;
      if (start >= from && column <= to) slice += grapheme;
      else slice += " ".repeat(Math.min(column, to) - Math.max(start, from));
      return column < to;
    },
  });
  return started ? slice + style.close() : "";
}

/** A row that no terminal shows wider than `columns`, with no escapes but styles and links. */
export function clampRow(row: string, columns: number): string {
  if (PRINTABLE_ASCII.test(row)) return row.length <= columns ? row : row.slice(0, columns);
  return sliceColumns(expandTabs(row), 0, columns);
}

/** `row` with spaces up to `columns`; a wider one is cut. */
export function padRow(row: string, columns: number): string {
  const width = displayWidth(row);
  if (width > columns) return padRow(sliceColumns(row, 0, columns), columns);
  return row + " ".repeat(Math.max(columns - width, 0));
}

/** Tabs as spaces up to the next stop; escapes take no columns. */
export function expandTabs(text: string, tabColumns = TAB_COLUMNS): string {
  if (!text.includes("\t")) return text;
  return text
    .split("\n")
    .map((line) => {
      const [first = "", ...rest] = line.split("\t");
      let column = displayWidth(first);
      let expanded = first;
      for (const part of rest) {
        const spaces = tabColumns - (column % tabColumns);
        expanded += " ".repeat(spaces) + part;
        column += spaces + displayWidth(part);
      }
      return expanded;
    })
    .join("\n");
}

/** Pieces of at most `columns` that together are the row: for what is already laid out. */
export function splitRow(row: string, columns: number): string[] {
  const width = displayWidth(row);
  if (width <= columns || columns < 2) return [clampRow(row, columns)];
  const parts: string[] = [];
  for (let from = 0; from < width;) {
    const part = sliceWhole(row, from, columns);
    parts.push(part.text);
    from += Math.max(part.columns, 1);
  }
  return parts;
}

/** From column `from` as many whole characters as fit. */
function sliceWhole(row: string, from: number, columns: number): { text: string; columns: number } {
  let column = 0;
  let end = from;
  walk(row, {
    grapheme(_grapheme, width) {
      column += width;
      if (column > from + columns) return false;
      end = Math.max(column, from);
      return true;
    },
  });
  const taken = end > from ? end - from : columns;
  return { text: sliceColumns(row, from, from + taken), columns: taken };
}

/** `text` on one line of at most `columns`, with an ellipsis where something was cut. */
export function fitLine(text: string, columns: number): string {
  const line = shownOf(oneLine(text));
  if (displayWidth(line) <= columns) return line;
  if (columns <= 0) return "";
  return keepStart(line, columns - 1) + ELLIPSIS;
}

/** As `fitLine`, but the end remains: for paths. */
export function fitLineEnd(text: string, columns: number): string {
  const line = shownOf(oneLine(text));
  const width = displayWidth(line);
  if (width <= columns) return line;
  if (columns <= 0) return "";
  return ELLIPSIS + keepEnd(line, columns - 1);
}

/** As `fitLine`, but both ends remain. */
export function fitLineMiddle(text: string, columns: number): string {
  const line = shownOf(oneLine(text));
  const width = displayWidth(line);
  if (width <= columns) return line;
  if (columns <= 0) return "";
  const start = Math.ceil((columns - 1) / 2);
  return keepStart(line, start) + ELLIPSIS + keepEnd(line, columns - 1 - start);
}

/** Without what has no column of its own. */
function shownOf(line: string): string {
  return PRINTABLE_ASCII.test(line) ? line : keepStart(line, Number.POSITIVE_INFINITY);
}

function keepStart(line: string, columns: number): string {
  let kept = "";
  let used = 0;
  walk(line, {
    grapheme(grapheme, width) {
      used += width;
      if (used > columns) return false;
      kept += grapheme;
      return true;
    },
  });
  return kept;
}

function keepEnd(line: string, columns: number): string {
  const all: { grapheme: string; width: number }[] = [];
  walk(line, {
    grapheme(grapheme, width) {
      all.push({ grapheme, width });
      return true;
    },
  });
  let kept = "";
  let used = 0;
  for (const { grapheme, width } of all.toReversed()) {
    used += width;
    if (used > columns) break;
    kept = grapheme + kept;
  }
  return kept;
}

/** Escapes and control characters in data must never reach the terminal as commands. */
export function oneLine(text: string): string {
  const clean = sanitize(text);
  return (clean.includes("\n") ? joinLines(clean) : clean).replace(/\t/g, "  ");
}

/** By hand: an expression for blanks around a break takes for ever on many blanks without one. */
function joinLines(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  const last = rest.pop() ?? "";
  const between = rest.map((line) => line.trim()).filter((line) => line !== "");
  return [first.trimEnd(), ...between, last.trimStart()].join(" ⏎ ");
}

/** Foreign text made harmless: no escapes, no controls but newline and tab, no hidden direction. */
export function sanitize(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text
    .replace(/\r\n?/g, "\n")
    .replace(ALL_ESCAPES, "")
    .replace(/[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u009c]*[\u0007\u009c]?/g, "")
    .replace(/\u009b[0-?]*[ -/]*[@-~]?/g, "")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")
    .replace(FORMAT, "")
    .toWellFormed();
}

/** `text` as a link to `target`, where the target is safe to name. */
export function hyperlink(text: string, target: string): string {
  // A control character or a space would end the sequence early and type the rest.
  if (/[^\x21-\x7e]/.test(target)) return text;
  return `\x1b]8;;${target}\x1b\\${text}${CLOSE_LINK}`;
}
