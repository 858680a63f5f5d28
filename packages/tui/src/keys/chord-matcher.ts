// Turns presses into actions. It remembers the strokes of a chord that is not complete
// yet; nothing times out, the next press decides.

import type { KeyPress } from "../key-input.ts";
import type { KeyBindings } from "./key-bindings.ts";
import { printChord, strokeOf, type Stroke } from "./key-stroke.ts";

export type ChordMatch =
  | { kind: "action"; action: string }
  /** The press began or continued a chord; show `typed` as a hint. */
  | { kind: "pending"; typed: string }
  /** The press ended a chord that means nothing; it is spent. */
  | { kind: "unknown"; typed: string }
  /** No binding has anything to do with the press. */
  | { kind: "none" };

export class ChordMatcher {
  readonly #bindings: KeyBindings;
  #pending: Stroke[] = [];

  constructor(bindings: KeyBindings) {
    this.#bindings = bindings;
  }

  get pending(): boolean {
    return this.#pending.length > 0;
  }

  /** Asks the contexts in order, innermost first. */
  press(contexts: readonly string[], press: KeyPress): ChordMatch {
    const chord = [...this.#pending, strokeOf(press)];
    for (const context of contexts) {
      // A chord that has begun goes before a shorter one: otherwise it could never be typed.
      if (this.#bindings.isBeginning(context, chord)) {
        this.#pending = chord;
        return { kind: "pending", typed: printChord(chord) };
      }
      const action = this.#bindings.actionFor(context, chord);
      if (action !== undefined) {
        this.#pending = [];
        return { kind: "action", action };
      }
    }
    const begun = this.pending;
    this.#pending = [];
    return begun ? { kind: "unknown", typed: printChord(chord) } : { kind: "none" };
  }

  reset(): void {
    this.#pending = [];
  }
}
