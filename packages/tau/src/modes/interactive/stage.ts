// What a screen (a picker, a question, a viewer) is given: how things look, which keys do what,
// and a place over the window for as long as it is open. It knows nothing of the session.

import type { FocusableComponent } from "@tau/tui/component";
import type { KeyBindings } from "@tau/tui/keys/key-bindings";
import type { Theme } from "@tau/tui/theme/theme";

/** Closes what is shown; without an answer it was cancelled. */
export type Close<T> = (answer?: T) => void;

export interface ShowOptions {
  /** Cancels it, as the user would. */
  signal?: AbortSignal;
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
  /** A line in the transcript for the person, not for the model. */
  note(text: string, tone?: NoteTone): void;
}

export type NoteTone = "plain" | "success" | "warning" | "error";
