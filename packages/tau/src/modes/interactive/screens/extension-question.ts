// A question that an extension puts: who asks, what about, and one of several answers. Like every question
// that can let something happen it is guarded: typing does not answer it, and Enter alone says no where
// yes and no are all there is.

import type { Rendered } from "@tau/tui/component";
import { cleanLine } from "@tau/tui/components/clean-text";
import { ListView, type ListItem } from "@tau/tui/components/list-view";
import { Panel } from "@tau/tui/components/panel";
import { SelectionKeys } from "@tau/tui/components/selection-actions";
import { paintedRows } from "@tau/tui/components/text-block";
import type { KeyInput } from "@tau/tui/key-input";
import { fitLine } from "@tau/tui/width";
import { senderName } from "../../../feature-api/sender.ts";
import type { Choice } from "../../../feature-api/user-interface.ts";
import type { Standing } from "../question-guard.ts";
import type { Close, GuardedQuestion, LetterMeaning, Stage, Turn } from "../stage.ts";

const FRAME_ROWS = 2;
/** Below this the frame's rows are needed for what it holds. */
const MIN_FRAMED_ROWS = 10;
/** Of what it is about, at least: one row of it, and how much of it is not seen. */
const MIN_TEXT_ROWS = 2;
/** Of the choices, at least, however long the text is. */
const MIN_LIST_ROWS = 2;
const MAX_LIST_ROWS = 15;
/** Nobody pages further before they say no. */
const MAX_TEXT_CHARS = 64 * 1024;

export interface PutQuestion {
  /** The extension's name. */
  from?: string;
  /** A part of Tau itself, in its place. */
  own?: string;
  title: string;
  /** Below the title; empty if that says it all. */
  message?: string;
  signal?: AbortSignal;
}

/** False unless somebody said yes. */
export async function askToConfirm(stage: Stage, question: PutQuestion): Promise<boolean> {
  // Up and Enter is how people send their last prompt again: it must not lead from No to Yes.
  const items = [
    { value: "no", label: "n  No" },
    { value: "yes", label: "y  Yes" },
  ];
  return (await put(stage, question, items)) === "yes";
}

export async function askToSelect(
  stage: Stage,
  question: PutQuestion & { choices: readonly Choice[] },
): Promise<string | undefined> {
  // What is shown may be long, and may be there twice: the place tells them apart.
  const items = question.choices.map(({ value, label = value, description }, at) => ({
    value: String(at),
    label,
    detail: description,
  }));
  const at = await put(stage, question, items);
  return at === undefined ? undefined : question.choices[Number(at)]?.value;
}

function put(
  stage: Stage,
  question: PutQuestion,
  items: readonly ListItem<string>[],
): Promise<string | undefined> {
  const { signal } = question;
  return stage.ask<string>(
    (close, standing, turn) =>
      new ExtensionQuestion({ stage, question, items, standing, turn }, close),
    { signal },
  );
}

interface QuestionOptions {
  stage: Stage;
  question: PutQuestion;
  items: readonly ListItem<string>[];
  standing(): Standing;
  turn(): Turn;
}

class ExtensionQuestion implements GuardedQuestion {
  readonly state = "live";
  readonly isWhole = true;
  readonly #options: QuestionOptions;
  readonly #list: ListView<string>;
  readonly #panel: Panel;
  readonly #keys: SelectionKeys;
  readonly #close: Close<string>;
  #from = 0;
  #room = 1;
  #overflow = 0;
  #listRows = MAX_LIST_ROWS;

  constructor(options: QuestionOptions, close: Close<string>) {
    this.#options = options;
    this.#close = close;
    const { stage, items, standing, turn } = options;
    const { theme, bindings } = stage;
    this.#keys = new SelectionKeys(bindings);
    this.#list = new ListView<string>({
      items,
      theme,
      bindings,
      requestRender: () => stage.requestRender(),
      filter: "off",
      ends: "stop",
      maxRows: () => this.#listRows,
      takesKeys: () => standing() === "armed",
      onChoose: ({ value }) => close(value),
    });
    const content = {
      state: "live" as const,
      render: (columns: number) => this.#content(columns, stage.size.rows - FRAME_ROWS),
    };
    const title = (): string => {
      const { at, of } = turn();
      return of > 1 ? `${this.brief.asks} (${at} of ${of})` : this.brief.asks;
    };
    this.#panel = new Panel({ title, theme, content, border: "warning" });
  }

  get brief(): GuardedQuestion["brief"] {
    const { from, own, title } = this.#options.question;
    return { asks: `${senderName(from, own)} asks`, about: cleanLine(title.split("\n", 1)[0]!) };
  }

  begin(): void {
    this.#list.select(0);
  }

  letterMeaning(letter: string): LetterMeaning | undefined {
    return this.#placeOf(letter) >= 0 ? "selects" : undefined;
  }

  mark(letter: string): void {
    this.#list.select(this.#placeOf(letter));
  }

  settle(): void {
    const { selected } = this.#list;
    if (selected) this.#close(selected.value);
  }

  render(columns: number): Rendered {
    const { rows } = this.#options.stage.size;
    return rows < MIN_FRAMED_ROWS ? this.#content(columns, rows) : this.#panel.render(columns);
  }

  handleKey(input: KeyInput): boolean {
    const action = input.type === "key" ? this.#keys.actionOf(input) : undefined;
    const isPaging = action === "pageDown" || action === "pageUp";
    if (!isPaging || this.#overflow === 0) return this.#list.handleKey(input);
    this.#from += action === "pageDown" ? this.#room - 1 : 1 - this.#room;
    this.#options.stage.requestRender();
    return true;
  }

  /** Only yes and no have letters: other answers begin with whatever they like. */
  #placeOf(letter: string): number {
    return this.#options.items.findIndex(
      ({ value }) => /^(?:yes|no)$/.test(value) && value[0] === letter,
    );
  }

  /** What can be answered is always in sight; the rest gets the rows that are left. */
  #content(columns: number, height: number): Rendered {
    const { items } = this.#options;
    const text = this.#text(columns);
    const least = Math.min(text.length, MIN_TEXT_ROWS);
    // A list that is longer than its place says where in it one is.
    const room = height - least - 1;
    const fits = items.length <= Math.min(MAX_LIST_ROWS, room);
    this.#listRows = fits
      ? items.length
      : Math.max(MIN_LIST_ROWS, Math.min(MAX_LIST_ROWS, room - 1));
    const list = this.#list.render(columns).rows;
    const hint = height > list.length + least ? [this.#hint(columns)] : [];
    const left = height - list.length - hint.length;
    const air = left > text.length ? [""] : [];
    const shown = this.#page(text, columns, Math.max(1, left - air.length));
    return { rows: [...shown, ...air, ...list, ...hint], stableRows: 0 };
  }

  #text(columns: number): string[] {
    const { stage, question } = this.#options;
    const { title, message = "" } = question;
    const bold = stage.theme.attribute("bold");
    const head = title === "" ? [] : paintedRows(title.slice(0, MAX_TEXT_CHARS), columns, bold);
    if (message.trim() === "") return head;
    return [...head, ...paintedRows(message.slice(0, MAX_TEXT_CHARS), columns)];
  }

  #page(all: readonly string[], columns: number, room: number): string[] {
    const { theme, bindings } = this.#options.stage;
    this.#room = room;
    this.#overflow = Math.max(0, all.length - room);
    if (this.#overflow === 0) return [...all];
    this.#from = Math.max(0, Math.min(this.#from, all.length - room + 1));
    const shown = all.slice(this.#from, this.#from + room - 1);
    const below = all.length - this.#from - shown.length;
    const key = bindings.hint(below > 0 ? "selection.pageDown" : "selection.pageUp");
    const where = below > 0 ? `${below} more rows` : "the end";
    const note = `${theme.symbols.ellipsis} ${where}${key === undefined ? "" : ` (${key})`}`;
    return [...shown, theme.style("muted")(fitLine(note, columns))];
  }

  #hint(columns: number): string {
    const { stage, standing } = this.#options;
    const { theme, bindings } = stage;
    if (standing() !== "armed") {
      return theme.style("dim")(
        fitLine(`Not ready for an answer yet${theme.symbols.ellipsis}`, columns),
      );
    }
    const accept = bindings.hint("selection.accept") ?? "Enter";
    const cancel = bindings.hint("selection.cancel") ?? "Ctrl+C";
    const hint = `Choose, then ${accept} ${theme.symbols.separator} ${cancel} cancels`;
    return theme.style("muted")(fitLine(hint, columns));
  }
}
