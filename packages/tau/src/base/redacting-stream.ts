// Hides secrets in output that comes in pieces: what may yet become a secret is held back until
// it is known, and no secret is cut in two.

import type { Redactor } from "./redactor.ts";

export class RedactingStream {
  readonly #redactor: Redactor;
  readonly #decoder = new TextDecoder();
  #held = "";

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** What can be shown and kept by now. */
  push(bytes: Uint8Array): Buffer {
    this.#held += this.#decoder.decode(bytes, { stream: true });
    return this.#take(this.#held.length - this.#redactor.reach);
  }

  end(): Buffer {
    this.#held += this.#decoder.decode();
    return this.#take(this.#held.length);
  }

  #take(most: number): Buffer {
    if (most <= 0) return Buffer.alloc(0);
    let cut = most;
    for (const [from, to] of this.#redactor.spans(this.#held))
      if (from < cut && to > cut) cut = from;
    const safe = this.#redactor.hide(this.#held.slice(0, cut));
    this.#held = this.#held.slice(cut);
    return Buffer.from(safe);
  }
}
