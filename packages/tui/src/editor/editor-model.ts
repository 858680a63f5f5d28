// The prompt as a pure model: text, caret, cuts and undo. It knows no keys and no colours.
// Law: it equals a plain string with an index, and the caret is never inside a cluster.

import { nextBoundary, previousBoundary, snapForward } from "./grapheme-boundary.ts";
import { KillRing, type KillDirection } from "./kill-ring.ts";
import { LineLayout } from "./line-layout.ts";
import { cleanInput, PasteTokens, type FoldLimits } from "./paste-tokens.ts";
import { endOf, isBefore, samePosition, TextBuffer, type Position } from "./text-buffer.ts";
import { UndoHistory, type EditKind } from "./undo-history.ts";
import { wordEndAfter, wordStartBefore, type WordStyle } from "./word-motion.ts";

export type Direction = "forward" | "backward";

/** A text put in whole (from history, from outside) is folded only where it is enormous. */
const MAX_LITERAL_CHARS = 512 * 1024;

type LastAct = "kill" | "yank" | "vertical" | "other";

export class EditorModel {
  readonly layout: LineLayout;
  readonly #buffer = new TextBuffer();
  readonly #tokens: PasteTokens;
  readonly #undo = new UndoHistory();
  readonly #kills = new KillRing();
  #caret: Position = { line: 0, offset: 0 };
  #goalColumn: number | undefined;
  #lastAct: LastAct = "other";
  #yanked: { from: Position; text: string } | undefined;
  #version = 0;

  constructor(fold?: FoldLimits) {
    this.#tokens = new PasteTokens(fold);
    this.layout = new LineLayout(this.#tokens);
  }

  /** Grows with every change of text or caret. */
  get version(): number {
    return this.#version;
  }

  get caret(): Position {
    return { ...this.#caret };
  }

  get isEmpty(): boolean {
    return this.#buffer.isEmpty;
  }

  get lineCount(): number {
    return this.#buffer.lineCount;
  }

  line(index: number): string {
    return this.#buffer.line(index);
  }

  /** With tokens as the characters they are; for tests and for putting back. */
  get rawText(): string {
    return this.#buffer.text;
  }

  /** What is meant: tokens expanded. */
  get text(): string {
    return this.#tokens.expand(this.#buffer.text);
  }

  /** What is seen: tokens as labels. */
  get shownText(): string {
    return this.#tokens.shown(this.#buffer.text);
  }

  /** The text in front of the caret in its line. */
  get beforeCaret(): string {
    return this.#buffer.line(this.#caret.line).slice(0, this.#caret.offset);
  }

  insert(text: string): void {
    this.#replace(this.#caret, this.#caret, cleanInput(text), "type");
    this.#lastAct = "other";
  }

  /** One insertion and one undo step; large ones become a token. */
  paste(text: string): void {
    this.#replace(this.#caret, this.#caret, this.#tokens.fold(cleanInput(text)), "other");
    this.#lastAct = "other";
  }

  /** The whole text anew, as one step; the caret goes to its end. */
  setText(text: string): void {
    const clean = cleanInput(text);
    const put = clean.length > MAX_LITERAL_CHARS ? this.#tokens.fold(clean) : clean;
    this.#replace({ line: 0, offset: 0 }, this.#buffer.end, put, "other");
    this.#lastAct = "other";
  }

  /** Puts `text` in the place of what lies between `from` in the line and the caret. */
  replaceBeforeCaret(from: number, text: string): void {
    const start = { line: this.#caret.line, offset: Math.min(from, this.#caret.offset) };
    this.#replace(start, this.#caret, cleanInput(text), "other");
    this.#lastAct = "other";
  }

  /** Empty and without a past: the text has been sent. */
  reset(): void {
    this.#buffer.replace({ line: 0, offset: 0 }, this.#buffer.end, "");
    this.#caret = { line: 0, offset: 0 };
    this.#undo.clear();
    this.#kills.keepOnly((entry) => !this.#tokens.holdsToken(entry));
    this.#tokens.clear();
    this.layout.forget();
    this.#goalColumn = undefined;
    this.#lastAct = "other";
    this.#version++;
  }

  delete(direction: Direction): void {
    const there = this.#stepFrom(this.#caret, direction);
    this.#remove(there, direction === "backward" ? "erase-back" : "erase-forward");
    this.#lastAct = "other";
  }

  killWord(direction: Direction, style: WordStyle): void {
    this.#kill(this.#wordFrom(this.#caret, direction, style), direction);
  }

  /** To the end (or beginning) of the line; the break itself where nothing is left of it. */
  killLine(direction: Direction): void {
    const { line, offset } = this.#caret;
    const edge = direction === "forward" ? this.#buffer.line(line).length : 0;
    const there = edge === offset ? this.#stepFrom(this.#caret, direction) : { line, offset: edge };
    this.#kill(there, direction);
  }

  yank(): void {
    this.#insertYank(this.#caret, this.#kills.current());
  }

  /** Right after a yank: the cut before it instead. */
  yankPop(): void {
    if (this.#lastAct !== "yank" || !this.#yanked) return;
    this.#insertYank(this.#yanked.from, this.#kills.rotate());
  }

  undo(): boolean {
    const step = this.#undo.undo();
    if (!step) return false;
    for (const edit of step.edits.toReversed()) {
      this.#buffer.replace(edit.from, endOf(edit.from, edit.inserted), edit.removed);
    }
    this.#place(step.before);
    return true;
  }

  redo(): boolean {
    const step = this.#undo.redo();
    if (!step) return false;
    for (const edit of step.edits) {
      this.#buffer.replace(edit.from, endOf(edit.from, edit.removed), edit.inserted);
    }
    this.#place(step.after);
    return true;
  }

  move(direction: Direction): void {
    this.#moveTo(this.#stepFrom(this.#caret, direction));
  }

  moveWord(direction: Direction): void {
    this.#moveTo(this.#wordFrom(this.#caret, direction, "word"));
  }

  moveToLineEdge(direction: Direction): void {
    const { line } = this.#caret;
    const offset = direction === "forward" ? this.#buffer.line(line).length : 0;
    this.#moveTo({ line, offset });
  }

  moveToTextEdge(direction: Direction): void {
    this.#moveTo(direction === "forward" ? this.#buffer.end : { line: 0, offset: 0 });
  }

  /** The edge of the row; from there the edge of the whole line. */
  moveToRowEdge(direction: Direction, columns: number): void {
    const { line, offset } = this.#caret;
    const text = this.#buffer.line(line);
    const row = this.layout.rows(text, columns)[this.caretRow(columns)]!;
    const last = row.end === text.length ? row.end : previousBoundary(text, row.end);
    const edge = direction === "forward" ? last : row.start;
    if (edge === offset) this.moveToLineEdge(direction);
    else this.#moveTo({ line, offset: edge });
  }

  /** Which row of its line the caret is in. */
  caretRow(columns: number): number {
    const { line, offset } = this.#caret;
    const rows = this.layout.rows(this.#buffer.line(line), columns);
    return rows.findLastIndex((row) => row.start <= offset);
  }

  caretColumn(columns: number): number {
    const text = this.#buffer.line(this.#caret.line);
    const row = this.layout.rows(text, columns)[this.caretRow(columns)]!;
    return this.layout.columnOf(text, row, this.#caret.offset, columns);
  }

  /** By rows as they are seen; false at the first and the last one. */
  moveRows(count: number, columns: number): boolean {
    const goal = this.#lastAct === "vertical" ? this.#goalColumn : undefined;
    const column = goal ?? this.caretColumn(columns);
    let { line } = this.#caret;
    let row = this.caretRow(columns) + count;
    let rows = this.layout.rows(this.#buffer.line(line), columns);
    while (row < 0 && line > 0) {
      rows = this.layout.rows(this.#buffer.line(--line), columns);
      row += rows.length;
    }
    while (row >= rows.length && line < this.#buffer.lineCount - 1) {
      row -= rows.length;
      rows = this.layout.rows(this.#buffer.line(++line), columns);
    }
    const reached = row >= 0 && row < rows.length;
    // A page beyond the edge goes to the edge; a single step does not move at all.
    if (!reached && Math.abs(count) === 1) return false;
    const target = rows[Math.max(0, Math.min(row, rows.length - 1))]!;
    const text = this.#buffer.line(line);
    this.#moveTo({ line, offset: this.layout.offsetAt(text, target, column, columns) });
    this.#lastAct = "vertical";
    this.#goalColumn = column;
    return reached;
  }

  #stepFrom({ line, offset }: Position, direction: Direction): Position {
    const text = this.#buffer.line(line);
    if (direction === "forward") {
      if (offset < text.length) return { line, offset: nextBoundary(text, offset) };
      return line + 1 < this.#buffer.lineCount ? { line: line + 1, offset: 0 } : { line, offset };
    }
    if (offset > 0) return { line, offset: previousBoundary(text, offset) };
    return line > 0
      ? { line: line - 1, offset: this.#buffer.line(line - 1).length }
      : { line, offset };
  }

  #wordFrom(from: Position, direction: Direction, style: WordStyle): Position {
    const text = this.#buffer.line(from.line);
    const atEdge = direction === "forward" ? from.offset >= text.length : from.offset === 0;
    if (atEdge) return this.#stepFrom(from, direction);
    const find = direction === "forward" ? wordEndAfter : wordStartBefore;
    return { line: from.line, offset: find(text, from.offset, style) };
  }

  #kill(there: Position, direction: KillDirection): void {
    const joined = this.#lastAct === "kill" ? "joined" : "new";
    const removed = this.#remove(there, "other");
    this.#kills.push(removed, direction, joined);
    this.#lastAct = "kill";
  }

  #remove(there: Position, kind: EditKind): string {
    const [from, to] = isBefore(there, this.#caret) ? [there, this.#caret] : [this.#caret, there];
    return this.#replace(from, to, "", kind);
  }

  #insertYank(from: Position, text: string | undefined): void {
    if (text === undefined) return;
    const to =
      this.#lastAct === "yank" && this.#yanked?.from === from
        ? endOf(from, this.#yanked.text)
        : this.#caret;
    this.#replace(from, to, text, "other");
    this.#yanked = { from, text };
    this.#lastAct = "yank";
  }

  #replace(from: Position, to: Position, text: string, kind: EditKind): string {
    if (text === "" && samePosition(from, to)) return "";
    const before = this.#caret;
    const { removed, end } = this.#buffer.replace(from, to, text);
    this.#caret = this.#snapped(end);
    this.#undo.record({ from, removed, inserted: text }, kind, before, this.#caret);
    this.#version++;
    return removed;
  }

  #snapped({ line, offset }: Position): Position {
    return { line, offset: snapForward(this.#buffer.line(line), offset) };
  }

  #moveTo(place: Position): void {
    this.#undo.close();
    this.#place(place);
  }

  #place(place: Position): void {
    this.#caret = { ...place };
    this.#lastAct = "other";
    this.#version++;
  }
}
