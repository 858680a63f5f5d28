// Short questions over whatever is open: a line of text, yes or no, one of several. Each is
// undefined where it was cancelled. Those that let something happen that cannot be taken back
// are guarded: neither a held key nor typing answers them.

import { cleanLine } from "@tau/tui/components/clean-text";
import { ConfirmDialog } from "@tau/tui/components/confirm-dialog";
import type { Dialog } from "@tau/tui/components/dialog";
import { InputDialog, type InputDialogOptions } from "@tau/tui/components/input-dialog";
import type { ListItem } from "@tau/tui/components/list-view";
import { SelectDialog } from "@tau/tui/components/select-dialog";
import { displayWidth, padRow } from "@tau/tui/width";
import type { GuardedQuestion, Stage } from "../stage.ts";

type TextQuestion = Pick<
  InputDialogOptions,
  "title" | "initial" | "placeholder" | "show" | "check" | "signal"
>;

export function askText(stage: Stage, question: TextQuestion): Promise<string | undefined> {
  return shown(stage, new InputDialog({ ...question, ...looks(stage) }));
}

export interface YesNoQuestion {
  title: string;
  question: string;
  yes?: string;
  no?: string;
  signal?: AbortSignal;
}

/** For what cannot be taken back; the person has just asked for it. */
export async function askYesNo(stage: Stage, question: YesNoQuestion): Promise<boolean> {
  const { title, signal } = question;
  const answer = await stage.ask<boolean>(
    (close, standing) => {
      const takesKeys = (): boolean => standing() === "armed";
      const dialog = new ConfirmDialog({ ...question, ...looks(stage), takesKeys });
      void dialog.result.then(close);
      return guardedDialog(dialog, {
        brief: { asks: title, about: question.question },
        begin: () => dialog.choose("no"),
        letterMeaning: (letter) => (letter === "y" || letter === "n" ? "selects" : undefined),
        mark: (letter) => dialog.choose(letter === "y" ? "yes" : "no"),
      });
    },
    { signal, openedBy: "person" },
  );
  return answer === true;
}

export interface ChoiceQuestion<T> {
  title: string;
  items: readonly ListItem<T>[];
  /** The first one where left out. */
  selected?: number;
  /** Hears what Enter would take now. */
  onMove?(item: ListItem<T> | undefined): void;
  signal?: AbortSignal;
}

/** Rows that the frame of a dialog and a line about the position take. */
const DIALOG_ROWS = 6;

export function askOneOf<T>(stage: Stage, question: ChoiceQuestion<T>): Promise<T | undefined> {
  const maxRows = (): number => stage.size.rows - DIALOG_ROWS;
  const { selected = 0, items, ...rest } = question;
  const list = { items: aligned(items), maxRows, selected };
  return shown(stage, new SelectDialog<T>({ ...rest, ...looks(stage), ...list }));
}

export interface GuardedChoice<T> {
  title: string;
  /** The first one is marked: the one that changes nothing. */
  items: readonly ListItem<T>[];
  signal?: AbortSignal;
}

/** One of several, put by itself: letters go where they were going, arrows and Enter answer. */
export function askGuarded<T>(stage: Stage, question: GuardedChoice<T>): Promise<T | undefined> {
  const { title, signal } = question;
  return stage.ask<T>(
    (close, standing) => {
      const items = aligned(question.items);
      const takesKeys = (): boolean => standing() === "armed";
      const dialog = new SelectDialog<T>({ title, items, ...looks(stage), takesKeys });
      void dialog.result.then(close);
      return guardedDialog(dialog, {
        brief: { asks: title, about: "" },
        begin: () => dialog.select(0),
      });
    },
    { signal },
  );
}

type Guarding = Pick<GuardedQuestion, "brief" | "begin" | "letterMeaning" | "mark">;

function guardedDialog<T>(dialog: Dialog<T>, guarding: Guarding): GuardedQuestion {
  return {
    state: "live",
    isWhole: true,
    render: (columns) => dialog.render(columns),
    handleKey: (input) => dialog.handleKey(input),
    ...guarding,
    // Who has answered already types something else.
    letterMeaning: (letter) =>
      dialog.state === "final" ? undefined : guarding.letterMeaning?.(letter),
  };
}

/** Details below one another are read faster. */
function aligned<T>(items: readonly ListItem<T>[]): ListItem<T>[] {
  const width = Math.max(0, ...items.map(({ label }) => displayWidth(cleanLine(label))));
  return items.map((item) => ({ ...item, label: padRow(cleanLine(item.label), width) }));
}

function looks(stage: Stage) {
  const { theme, bindings } = stage;
  return { theme, bindings, requestRender: () => stage.requestRender() };
}

function shown<T>(stage: Stage, dialog: Dialog<T>): Promise<T | undefined> {
  return stage.show<T>((close) => {
    void dialog.result.then(close);
    return dialog;
  });
}
