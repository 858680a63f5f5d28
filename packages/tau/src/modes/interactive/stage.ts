// What a screen (a picker, a question, a viewer) is given: how things look, which keys do what,
// and a place over the window for as long as it is open. It knows nothing of the session.

import type { FocusableComponent } from "@tau/tui/component";
import type { KeyBindings } from "@tau/tui/keys/key-bindings";
import type { Theme } from "@tau/tui/theme/theme";
import type { OpenedBy, Standing } from "./question-guard.ts";

/** Closes what is shown; without an answer it was cancelled. */
export type Close<T> = (answer?: T) => void;

export interface ShowOptions {
  /** Cancels it, as the user would. */
  signal?: AbortSignal;
  /** `all`: a program runs in it to which every key belongs, whatever waits meanwhile. */
  keys?: "own" | "all";
}

/** What a letter of one of the choices does: see `KeyMeaning`. */
export type LetterMeaning = "settles" | "selects" | "acts";

/** A question that can let something happen. It gets keys only once it is armed. */
export interface GuardedQuestion extends FocusableComponent {
  /** For the strip while it waits: who asks, and about what, in one line. */
  readonly brief: { asks: string; about: string };
  /** Nothing of what it is about is still being worked out. */
  readonly isWhole: boolean;
  /** It takes keys from now on: what Enter alone may say is marked, whatever was before. */
  begin(): void;
  /** Undefined where the letter is none of a choice's. Only letters that act get to `handleKey`. */
  letterMeaning?(letter: string): LetterMeaning | undefined;
  /** Marks the choice of the letter. */
  mark?(letter: string): void;
  /** Answers with the choice that is marked. */
  settle?(): void;
}

/** Which of those that wait, or have been answered since anything waited, it is. */
export interface Turn {
  at: number;
  of: number;
}

export interface AskOptions {
  signal?: AbortSignal;
  /** By itself where left out; then it waits until the person is in nothing else. */
  openedBy?: OpenedBy;
}

export interface Stage {
  readonly theme: Theme;
  readonly bindings: KeyBindings;
  /** Of the terminal. A screen takes at most all of it, and looks again whenever it is drawn. */
  readonly size: { readonly columns: number; readonly rows: number };
  requestRender(): void;
  /**
   * Shows it over the window, on top of what is already shown there, and gives it every key.
   * Esc and Ctrl-C that it does not take close it.
   */
  show<T>(
    open: (close: Close<T>) => FocusableComponent,
    options?: ShowOptions,
  ): Promise<T | undefined>;
  /**
   * Puts a question that can let something happen, so that no typing answers it (see
   * `question-guard.ts`). One is put after the other; one that the person opened comes first.
   */
  ask<T>(
    open: (close: Close<T>, standing: () => Standing, turn: () => Turn) => GuardedQuestion,
    options?: AskOptions,
  ): Promise<T | undefined>;
  /** A line in the transcript for the person, not for the model. */
  note(text: string, tone?: NoteTone): void;
}

export type NoteTone = "plain" | "success" | "warning" | "error";
