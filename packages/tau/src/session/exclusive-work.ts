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
  #current: { controller: AbortController; done: Promise<void> } | undefined;

  constructor(ports: WorkPorts) {
    this.#ports = ports;
  }

  get isOn(): boolean {
    return this.#current !== undefined;
  }

  abort(): void {
    this.#current?.controller.abort();
  }

  async whenOver(): Promise<void> {
    while (this.#current) await this.#current.done;
  }

  /** Rejects with `SessionBusy` while something else is on. */
  async run<T>(
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#current) throw new SessionBusy();
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
