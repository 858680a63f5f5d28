// How long each extension of a session has had a person before a question of its own: that time is not the
// extension's, neither when it is measured nor when it is limited.

import type { PersonTime } from "@tau/agent/hooks";

export class AskedTime implements PersonTime {
  #open = 0;
  #since = 0;
  #totalMs = 0;

  get isAsking(): boolean {
    return this.#open > 0;
  }

  get totalMs(): number {
    return this.#totalMs + (this.isAsking ? performance.now() - this.#since : 0);
  }

  /** Questions that are open side by side count once. */
  async during<T>(question: () => Promise<T>): Promise<T> {
    if (this.#open++ === 0) this.#since = performance.now();
    try {
      return await question();
    } finally {
      if (--this.#open === 0) this.#totalMs += performance.now() - this.#since;
    }
  }
}

/** By the names of the extensions. */
export class AskedTimes {
  readonly #times = new Map<string, AskedTime>();

  of(extension: string): AskedTime {
    const time = this.#times.get(extension) ?? new AskedTime();
    this.#times.set(extension, time);
    return time;
  }
}
