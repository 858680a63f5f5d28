// Hides secrets in output that comes in pieces: what may yet become a secret is held back until
// it is known, and no secret is cut in two.

import type { SecretVault } from "./secret-vault.ts";

export class RedactingStream {
  readonly #vault: SecretVault;
  readonly #decoder = new TextDecoder();
  #held = "";

  constructor(vault: SecretVault) {
    this.#vault = vault;
  }

  /** What can be shown and kept by now. */
  push(bytes: Uint8Array): Buffer {
    this.#held += this.#decoder.decode(bytes, { stream: true });
    return this.#take(this.#held.length - this.#vault.reach);
  }

  end(): Buffer {
    this.#held += this.#decoder.decode();
    return this.#take(this.#held.length);
  }

  #take(most: number): Buffer {
    if (most <= 0) return Buffer.alloc(0);
    let cut = most;
    for (const [from, to] of this.#vault.spans(this.#held)) if (from < cut && to > cut) cut = from;
    const safe = this.#vault.hide(this.#held.slice(0, cut));
    this.#held = this.#held.slice(cut);
    return Buffer.from(safe);
  }
}
