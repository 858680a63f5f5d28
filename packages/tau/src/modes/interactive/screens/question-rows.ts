// What can be chosen in a question, as rows: long labels wrap under themselves, and of more rows than there
// is room for those around the marked one are shown.

import { cleanLine, cleanLines } from "@tau/tui/components/clean-text";
import { fitSpans, wrapSpans, type Span } from "@tau/tui/components/spans";
import { plain, type Theme } from "@tau/tui/theme/theme";
import { displayWidth, fitLine } from "@tau/tui/width";
import type { QuestionSheet, SheetRow } from "./question-sheet.ts";

/** Longer labels are cut before they are laid out; nobody reads on. */
const MAX_LABEL_CHARS = 2000;
/** Of one label, at most this share of the rows: the others are to be seen, too. */
const LABEL_SHARE = 1 / 2;

const OTHER = "Other (type your own)";
const RECOMMENDED = " (Recommended)";

export interface RowsLook {
  theme: Theme;
  columns: number;
  /** It takes no keys yet: nothing looks marked. */
  isAsleep: boolean;
  /** Rows that there is room for. */
  height: number;
}

export function choiceRows(sheet: QuestionSheet, look: RowsLook): readonly string[] {
  const { height } = look;
  const most = Math.max(1, Math.floor(height * LABEL_SHARE));
  const items = sheet.rows.map((row, at) =>
    cut(itemRows(row, sheet, { ...look, isMarked: at === sheet.cursor }), most, look),
  );
  const all = items.flat();
  if (all.length <= height || height < 1) return all.slice(0, height);
  // One row says where one is among them.
  const room = Math.max(1, height - 1);
  const before = items.slice(0, sheet.cursor).flat().length;
  const size = items[sheet.cursor]!.length;
  // The marked one in the middle, as far as the ends allow.
  const wanted = before - Math.floor((room - size) / 2);
  const from = Math.max(0, Math.min(wanted, all.length - room));
  const where = `  ${sheet.cursor + 1} of ${items.length}`;
  const note = look.theme.style("muted")(fitLine(where, look.columns));
  return [...all.slice(from, from + room), note].slice(0, height);
}

function itemRows(
  row: SheetRow,
  sheet: QuestionSheet,
  { theme, columns, isAsleep, isMarked }: RowsLook & { isMarked: boolean },
): string[] {
  const { symbols } = theme;
  const isShown = isMarked && !isAsleep;
  const pointer = isShown ? symbols.pointer : " ".repeat(displayWidth(symbols.pointer));
  const paint = theme.style(isAsleep ? "dim" : isShown ? "accent" : "text");
  const muted = theme.style(isAsleep ? "dim" : "muted");
  const { multi = false } = sheet.question ?? {};
  const head: Span[] = [{ text: `${pointer} ${signOf(row, multi, theme)} `, paint }];
  const spans = wordsOf(row, sheet).map(({ text, isAside }) => ({
    text,
    paint: isAside ? muted : paint,
  }));
  const indent = displayWidth(head[0]!.text);
  // Too narrow to wrap beside the signs.
  if (columns - indent < 4) return [fitSpans([...head, ...spans], columns)];
  const [first = "", ...rest] = wrapSpans(spans, columns - indent);
  return [
    (head[0]!.paint ?? plain)(head[0]!.text) + first,
    ...rest.map((one) => " ".repeat(indent) + one),
  ];
}

function signOf(row: SheetRow, multi: boolean, { symbols }: Theme): string {
  const [on, off] = multi
    ? [symbols.taskDone, symbols.taskOpen]
    : [symbols.marked, symbols.unmarked];
  if (row.kind === "next") return " ".repeat(displayWidth(off));
  const isOn = row.kind === "option" ? row.isChosen : row.words !== undefined;
  return isOn ? on : off;
}

function wordsOf(row: SheetRow, sheet: QuestionSheet): { text: string; isAside?: boolean }[] {
  switch (row.kind) {
    case "option": {
      const label = cleanLine(cleanLines(row.label.slice(0, MAX_LABEL_CHARS)).join(" "));
      return [{ text: label }, { text: row.isRecommended ? RECOMMENDED : "", isAside: true }];
    }
    case "words": {
      if (row.words === undefined) return [{ text: OTHER }];
      const words = cleanLines(row.words.slice(0, MAX_LABEL_CHARS)).join(" ");
      return [{ text: "Other: " }, { text: words, isAside: true }];
    }
    case "next":
      return [{ text: sheet.questions.length > 1 ? "Next" : "Done" }];
  }
}

function cut(rows: string[], most: number, { theme, columns }: RowsLook): string[] {
  if (rows.length <= most) return rows;
  const more = theme.style("muted")(fitLine(`    ${theme.symbols.ellipsis}`, columns));
  return most === 1 ? rows.slice(0, 1) : [...rows.slice(0, most - 1), more];
}
