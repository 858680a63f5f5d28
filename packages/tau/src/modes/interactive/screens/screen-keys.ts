// Finds what a press means in a screen: its own context first, then the filter where it has
// one, then what all lists share.

import { SELECTION_CONTEXT } from "@tau/tui/components/selection-actions";
import type { KeyPress } from "@tau/tui/key-input";
import { ChordMatcher } from "@tau/tui/keys/chord-matcher";
import type { KeyBindings } from "@tau/tui/keys/key-bindings";

/** The press belongs to a chord of several strokes; it types nothing. */
export const CHORD = "chord";

export class ScreenKeys {
  readonly #matcher: ChordMatcher;
  readonly #contexts: readonly string[];

  constructor(bindings: KeyBindings, ...contexts: readonly string[]) {
    this.#matcher = new ChordMatcher(bindings);
    this.#contexts = [...contexts, SELECTION_CONTEXT];
  }

  /** An action's id, `CHORD`, or undefined for a press that only types. */
  actionOf(press: KeyPress): string | undefined {
    const match = this.#matcher.press(this.#contexts, press);
    if (match.kind === "action") return match.action;
    return match.kind === "none" ? undefined : CHORD;
  }
}
