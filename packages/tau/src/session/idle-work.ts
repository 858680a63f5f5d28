// Work for when nobody is there: each piece waits for its own length of quiet, and begins to wait anew
// whenever something has run. Nobody is kept from leaving by it.

type Work = (signal: AbortSignal) => Promise<unknown>;

export class IdleWork implements Disposable {
  readonly #start: (work: Work) => void;
  readonly #waiting: { afterMs: number; work: Work }[] = [];
  #timers: ReturnType<typeof setTimeout>[] = [];

  /** `start` runs it, unless something runs already. */
  constructor(start: (work: Work) => void) {
    this.#start = start;
  }

  add(afterMs: number, work: Work): void {
    this.#waiting.push({ afterMs, work });
  }

  /** Something runs: the quiet is over. */
  disturb(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  /** Nothing runs any more. */
  beginQuiet(): void {
    this.disturb();
    this.#timers = this.#waiting.map(({ afterMs, work }) => {
      const timer = setTimeout(() => this.#start(work), afterMs);
      timer.unref();
      return timer;
    });
  }

  [Symbol.dispose](): void {
    this.disturb();
  }
}
