// Time that passes only when a test says so; what waits for it runs in its order.

import type { GuardClock } from "../../guard-clock.ts";

interface Waiting {
  at: number;
  run(): void;
}

export class VirtualClock implements GuardClock {
  #now = 0;
  readonly #waiting = new Set<Waiting>();

  readonly now = (): number => this.#now;

  readonly after = (milliseconds: number, run: () => void): (() => void) => {
    const waiting = { at: this.#now + milliseconds, run };
    this.#waiting.add(waiting);
    return () => void this.#waiting.delete(waiting);
  };

  pass(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const due = [...this.#waiting].filter(({ at }) => at <= end);
      const next = due.reduce<Waiting | undefined>(
        (first, one) => (first && first.at <= one.at ? first : one),
        undefined,
      );
      if (!next) break;
      this.#waiting.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }
}
