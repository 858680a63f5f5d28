// What a feature may have a person see, answer and do, wherever that person is: at the terminal, at the
// other end of a pipe, or nowhere. Each front-end brings one; a feature never asks which it is, only
// whether somebody can answer and whether anything can be drawn.

import type { Component, FocusableComponent } from "@tau/tui/component";
import type { Theme } from "@tau/tui/theme/theme";
import type { PosedAnswer, PosedQuestion } from "./posed-question.ts";

export type FrontEnd = "terminal" | "plain" | "print" | "rpc" | "program";

export type NoticeTone = "info" | "warning" | "error";

/** Whose it is, by the extension's name. Extensions need not say it, and cannot: Tau names them. */
export interface Sender {
  from?: string;
}

export interface QuestionOptions extends Sender {
  /** In whose session it is asked, if it is an agent's. Said by Tau; extensions cannot. */
  agent?: string;
  /** Withdraws the question; it then counts as not answered. */
  signal?: AbortSignal;
  /** After this long it counts as not answered. */
  timeoutMs?: number;
}

export interface PosingOptions extends QuestionOptions {
  /** After so long without a key, what is not answered is chosen for the person; own words take their time. */
  pickWithinMs?: number;
  /** Nobody who looks elsewhere is called. */
  isQuiet?: boolean;
}

export interface Choice {
  /** What is given back. */
  value: string;
  /** What is shown; the value if absent. */
  label?: string;
  description?: string;
}

/** Where a widget stands: above the prompt, or below it. */
export type WidgetPlace = "above" | "below";

/** What draws a widget or a screen is told how things look, and asks to be drawn again. */
export interface DrawingPlace {
  readonly theme: Theme;
  /** Of the terminal; it may change. */
  readonly size: { readonly columns: number; readonly rows: number };
  requestRender(): void;
}

/** Lines of text, which every front-end can show, or a component, for a terminal that can draw. */
export type Widget = readonly string[] | ((place: DrawingPlace) => Component & Partial<Disposable>);

export interface UserInterface {
  readonly front: FrontEnd;
  /** A question reaches somebody. If not, it is answered at once: no, or nothing. */
  readonly canAsk: boolean;
  /** Components and screens can be shown. */
  readonly canDraw: boolean;
  /** Undefined if nobody chose. */
  select(
    title: string,
    choices: readonly Choice[],
    options?: QuestionOptions,
  ): Promise<string | undefined>;
  /** False if nobody said yes. */
  confirm(title: string, message: string, options?: QuestionOptions): Promise<boolean>;
  /** Several, with a way back from each to the one before; undefined if the person wants to answer none. */
  questions(
    posed: readonly PosedQuestion[],
    options?: PosingOptions,
  ): Promise<readonly PosedAnswer[] | undefined>;
  /** One line; undefined if nobody answered. */
  input(
    title: string,
    options?: QuestionOptions & { placeholder?: string; initial?: string },
  ): Promise<string | undefined>;
  /** A text of several lines, to be changed. */
  editText(title: string, text: string, options?: QuestionOptions): Promise<string | undefined>;
  notify(text: string, tone?: NoticeTone, sender?: Sender): void;
  /** A few words in the status line, by key; undefined takes them away. */
  setStatus(key: string, text: string | undefined, sender?: Sender): void;
  setWidget(key: string, widget: Widget | undefined, place?: WidgetPlace, sender?: Sender): void;
  /** Of the terminal's window; undefined for Tau's own. */
  setTitle(title: string | undefined, sender?: Sender): void;
  /** What is said to be going on while the model works; undefined for Tau's own words. */
  setWorking(words: string | undefined, sender?: Sender): void;
  /** What is being typed at the prompt; empty if there is none. */
  readonly draft: string;
  setDraft(text: string, sender?: Sender): void;
  /** A screen over the window, with every key, until it closes. Undefined at once if nothing can be drawn. */
  show<T>(
    open: (
      place: DrawingPlace,
      close: (answer?: T) => void,
    ) => FocusableComponent & Partial<Disposable>,
    options?: { signal?: AbortSignal; from?: string },
  ): Promise<T | undefined>;
  /** Ends Tau, as the person would; absent if somebody else decides that. */
  leave?(): void;
  /** Undefined if nothing can be drawn. */
  readonly theme: Theme | undefined;
}

/** Withdraws a question: whoever asks does, or it was too long. Undefined if nothing can. */
export function withdrawalOf({ signal, timeoutMs }: QuestionOptions = {}): AbortSignal | undefined {
  if (timeoutMs === undefined) return signal;
  const late = AbortSignal.timeout(Math.max(0, Math.min(timeoutMs, MAX_TIMEOUT_MS)));
  return signal ? AbortSignal.any([signal, late]) : late;
}

/** What timers can count; it is longer than anybody waits. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Nobody is there: every question is answered with no, and nothing is shown. */
export const NOBODY: UserInterface = {
  front: "program",
  canAsk: false,
  canDraw: false,
  select: async () => undefined,
  confirm: async () => false,
  questions: async () => undefined,
  input: async () => undefined,
  editText: async () => undefined,
  notify: () => {},
  setStatus: () => {},
  setWidget: () => {},
  setTitle: () => {},
  setWorking: () => {},
  draft: "",
  setDraft: () => {},
  show: async () => undefined,
  theme: undefined,
};
