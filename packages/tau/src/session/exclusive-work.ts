// A session does one thing at a time: a run, a compaction, a move in its tree. Whoever comes second is
// told so; whoever wants it to stop stops it.

import { SessionBusy } from "./session-busy.ts";

export interface WorkPorts {
  /** Messages that have come so far. */
  posts(): number;
  begins(): void;
  /**
   * `mayGoOn`: whoever stopped it wants quiet, and what waits goes with the next prompt; but not what
   * came since.
   */
  ended(mayGoOn: boolean): void;
}

export class ExclusiveWork {
  readonly #ports: WorkPorts;
  #isClosed = false;
  #current: { controller: AbortController; done: Promise<void> } | undefined;

  constructor(ports: WorkPorts) {
    this.#ports = ports;
  }

  /** Whether nothing else may begin. */
  get isOn(): boolean {
    return this.#current !== undefined || this.#isClosed;
  }

  /** Resolves when what runs now is over; what comes after it was not meant. */
  async stop(): Promise<void> {
    const current = this.#current;
    current?.controller.abort();
    await current?.done;
  }

  /** The same, and nothing begins any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
  }

  async whenOver(): Promise<void> {
    while (this.#current) await this.#current.done;
  }

  /** Rejects with `SessionBusy` while something else is on. */
  async run<T>(
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#current || this.#isClosed) throw new SessionBusy();
    const { posts, begins, ended } = this.#ports;
    begins();
    const controller = new AbortController();
    const onAbort = (): void => controller.abort();
    let heard = 0;
    controller.signal.addEventListener("abort", () => (heard = posts()));
    outer?.addEventListener("abort", onAbort, { once: true });
    if (outer?.aborted) controller.abort();
    const { promise: done, resolve: settle } = Promise.withResolvers<void>();
    this.#current = { controller, done };
    try {
      return await work(controller.signal);
    } finally {
      outer?.removeEventListener("abort", onAbort);
      this.#current = undefined;
      settle();
      ended(!controller.signal.aborted || posts() > heard);
    }
  }
}
