// The time that a cell may take. It stands still while the cell waits for a tool or an agent:
// those have limits of their own, and nobody can know beforehand how long they take.

export class CellClock implements Disposable {
  readonly #onExpiry: () => void;
  #leftMs: number;
  #runningSince: number | undefined;
  #pauses = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(limitMs: number, onExpiry: () => void) {
    this.#leftMs = limitMs;
    this.#onExpiry = onExpiry;
    this.#go();
  }

  /** Stands still until the returned pause is disposed of; pauses may overlap. */
  pause(): Disposable {
    this.#pauses += 1;
    if (this.#pauses === 1) this.#halt();
    let isOver = false;
    return {
      [Symbol.dispose]: () => {
        if (isOver) return;
        isOver = true;
        this.#pauses -= 1;
        if (this.#pauses === 0) this.#go();
      },
    };
  }

  [Symbol.dispose](): void {
    this.#halt();
    // Whoever is still paused must not start it again.
    this.#pauses = Infinity;
  }

  #go(): void {
    this.#runningSince = performance.now();
    this.#timer = setTimeout(this.#onExpiry, Math.max(0, this.#leftMs));
  }

  #halt(): void {
    clearTimeout(this.#timer);
    if (this.#runningSince === undefined) return;
    this.#leftMs -= performance.now() - this.#runningSince;
    this.#runningSince = undefined;
  }
}
