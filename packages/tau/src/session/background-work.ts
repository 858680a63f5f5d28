// Work beside the conversation that nobody waits for. Leaving the session stops it and waits
// until it has stopped, so that nothing outlives its session.

export class BackgroundWork implements AsyncDisposable {
  readonly #controller = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #report: (error: unknown) => void;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  start(work: (signal: AbortSignal) => Promise<void>): void {
    const { signal } = this.#controller;
    if (signal.aborted) return;
    const running = work(signal)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#report(error);
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Nothing of it is running any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#controller.abort();
    await this.settled();
  }
}
