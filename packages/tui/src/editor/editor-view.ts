// Draws the editor: the part of the text around the caret, the offers below it. It keeps
// the scroll position and looks only at the lines it shows, however long the text.

import type { Rendered } from "../component.ts";
import { cleanLine } from "../components/clean-text.ts";
import { padTo } from "../components/grapheme-clusters.ts";
import type { Theme } from "../theme/theme.ts";
import { displayWidth, fitLine } from "../width.ts";
import type { CompletionPopup } from "./completion.ts";
import type { EditorModel } from "./editor-model.ts";
import type { HistorySearch } from "./prompt-history.ts";

export interface EditorLook {
  theme: Theme;
  /** Before the first row; later rows are indented as far. */
  prompt: string;
  placeholder: string;
  /** Rows of text shown at most; the rest is scrolled to. */
  maxRows: number;
  /** Rows for all of it, on a screen that is too low for what it would like. */
  room?: number;
}

export interface EditorParts {
  model: EditorModel;
  popup?: CompletionPopup;
  search?: HistorySearch;
}

interface RowPlace {
  line: number;
  row: number;
}

/** Offers shown at once. */
const POPUP_ROWS = 8;
/** Offers that text makes room for. */
const FEW_POPUP_ROWS = 3;
const NOTE_ROWS = 1;

/** A prompt sign that leaves no room for text is left out. */
const fittingPrompt = (columns: number, prompt: string): string =>
  displayWidth(prompt) + 2 <= columns ? prompt : "";

/** Columns for text: one is kept free for the caret behind a full row. */
export function textColumns(columns: number, prompt: string): number {
  return Math.max(1, columns - displayWidth(fittingPrompt(columns, prompt)) - 1);
}

export class EditorView {
  #top: RowPlace = { line: 0, row: 0 };

  render({ model, popup, search }: EditorParts, look: EditorLook, columns: number): Rendered {
    if (search) return renderSearch(search, look, columns);
    const prompt = fittingPrompt(columns, look.prompt);
    const width = textColumns(columns, prompt);
    const indent = " ".repeat(displayWidth(prompt));
    const room = look.room ?? Number.POSITIVE_INFINITY;
    const offers = popup?.isOpen ? Math.min(popup.items.length, FEW_POPUP_ROWS) : 0;
    const textRows = Math.max(1, Math.min(look.maxRows, room - NOTE_ROWS - offers));
    const places = this.#visible(model, width, textRows);
    const caretRow = model.caretRow(width);
    let caret = { row: 0, column: 0 };
    const rows = places.map(({ line, row }, index) => {
      const text = model.line(line);
      if (line === model.caret.line && row === caretRow) {
        const column = displayWidth(prompt) + model.caretColumn(width);
        caret = { row: index, column: Math.min(column, columns - 1) };
      }
      const part = model.layout.rows(text, width)[row]!;
      const isFirst = line === 0 && row === 0;
      return (isFirst ? prompt : indent) + model.layout.drawRow(text, part, width);
    });
    if (model.isEmpty && look.placeholder !== "") {
      rows[0] = prompt + look.theme.style("muted")(fitLine(look.placeholder, width));
    }
    const hidden = this.#hiddenNote(model, places, width, look);
    if (hidden !== undefined) rows.push(look.theme.style("muted")(fitLine(hidden, columns)));
    if (popup?.isOpen) {
      const most = Math.max(1, Math.min(POPUP_ROWS, room - rows.length));
      rows.push(...popupRows(popup, look.theme, { columns, most }));
    }
    return { rows, stableRows: 0, caret };
  }

  /** Which rows to show: as before where the caret is among them, otherwise around it. */
  #visible(model: EditorModel, width: number, maxRows: number): RowPlace[] {
    const rowsOf = (line: number): number => model.layout.rows(model.line(line), width).length;
    const caret: RowPlace = { line: model.caret.line, row: model.caretRow(width) };
    const back = (from: RowPlace, count: number): RowPlace => {
      let { line, row } = from;
      row -= count;
      while (row < 0 && line > 0) row += rowsOf(--line);
      return { line, row: Math.max(0, row) };
    };
    const next = ({ line, row }: RowPlace): RowPlace | undefined => {
      if (row + 1 < rowsOf(line)) return { line, row: row + 1 };
      return line + 1 < model.lineCount ? { line: line + 1, row: 0 } : undefined;
    };
    const listFrom = (top: RowPlace): RowPlace[] => {
      const list: RowPlace[] = [];
      for (let at: RowPlace | undefined = top; at && list.length < maxRows; at = next(at))
        list.push(at);
      return list;
    };
    const holdsCaret = (list: readonly RowPlace[]): boolean =>
      list.some((place) => place.line === caret.line && place.row === caret.row);
    const top = this.#top;
    let list: RowPlace[] = [];
    if (top.line < model.lineCount && top.row < rowsOf(top.line)) list = listFrom(top);
    if (!holdsCaret(list)) {
      const above = caret.line < top.line || (caret.line === top.line && caret.row < top.row);
      list = listFrom(above ? caret : back(caret, maxRows - 1));
    }
    // Text was removed below: do not leave room empty that text above could fill.
    if (list.length < maxRows) list = listFrom(back(list[0]!, maxRows - list.length));
    this.#top = list[0]!;
    return list;
  }

  #hiddenNote(
    model: EditorModel,
    places: readonly RowPlace[],
    width: number,
    { theme }: EditorLook,
  ): string | undefined {
    const first = places[0]!;
    const last = places.at(-1)!;
    const above = first.line;
    const below = model.lineCount - 1 - last.line;
    const cutBelow = last.row + 1 < model.layout.rows(model.line(last.line), width).length;
    if (above === 0 && below === 0 && first.row === 0 && !cutBelow) return undefined;
    const { scrollUp, scrollDown } = theme.symbols;
    return `${scrollUp}${above} ${scrollDown}${below} of ${model.lineCount} lines`;
  }
}

function renderSearch(search: HistorySearch, look: EditorLook, columns: number): Rendered {
  const { theme } = look;
  const label = search.failed ? "no match: " : "search: ";
  const typed = fitLine(label + cleanLine(search.query), Math.max(1, columns - 1));
  const rows = [theme.style(search.failed ? "warning" : "accent")(typed)];
  const most = Math.min(look.maxRows, Math.max(1, (look.room ?? look.maxRows + 1) - rows.length));
  const lines = (search.hit ?? "").split("\n", most);
  for (const line of lines) rows.push(fitLine(cleanLine(line), columns));
  return { rows, stableRows: 0, caret: { row: 0, column: displayWidth(typed) } };
}

function popupRows(
  { items, selected }: CompletionPopup,
  theme: Theme,
  { columns, most }: { columns: number; most: number },
): string[] {
  const first = Math.max(0, Math.min(selected - most + 1, items.length - most));
  const shown = items.slice(first, first + most);
  const labelColumns = Math.min(
    Math.max(...shown.map((item) => displayWidth(fitLine(cleanLine(item.label), columns)))),
    Math.max(1, Math.floor(columns / 2)),
  );
  return shown.map((item, index) => {
    const isSelected = first + index === selected;
    const mark = isSelected
      ? theme.symbols.pointer
      : " ".repeat(displayWidth(theme.symbols.pointer));
    const label = padTo(fitLine(cleanLine(item.label), labelColumns), labelColumns);
    const row = fitLine(`${mark} ${label}  ${cleanLine(item.detail ?? "")}`.trimEnd(), columns);
    return theme.style(isSelected ? "accent" : "muted")(row);
  });
}
