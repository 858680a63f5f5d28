// Hides secrets in text that comes in pieces: what may yet become a secret is held back until it is
// known, and no secret is cut in two.

import type { Redactor } from "./redactor.ts";

export class RedactingText {
  readonly #redactor: Pick<Redactor, "hide" | "openFrom">;
  #held = "";

  constructor(redactor: Pick<Redactor, "hide" | "openFrom">) {
    this.#redactor = redactor;
  }

  /** What can be shown and kept by now. */
  push(text: string): string {
    this.#held += text;
    return this.#take(this.#redactor.openFrom(this.#held));
  }

  end(): string {
    return this.#take(this.#held.length);
  }

  #take(cut: number): string {
    const safe = this.#redactor.hide(this.#held.slice(0, cut));
    this.#held = this.#held.slice(cut);
    return safe;
  }
}
