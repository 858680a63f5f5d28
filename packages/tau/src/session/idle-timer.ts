// Something to do once nothing has happened for a while. Nobody is kept from leaving by it.

export class IdleTimer {
  readonly #act: (afterMs: number) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(act: (afterMs: number) => void) {
    this.#act = act;
  }

  /** From now on; not at all without a time. */
  start(afterMs: number | undefined): void {
    this.stop();
    if (afterMs === undefined) return;
    this.#timer = setTimeout(() => this.#act(afterMs), afterMs);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
