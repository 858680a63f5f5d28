// Ctrl-C and a polite kill, as an abort signal: whatever runs is ended in order, with
// nothing left behind. A second one does not wait for order.

import { exitProcess } from "@tau/tui/terminal/own-exit";
import { EXIT } from "../exit-code.ts";

export class Interrupt implements Disposable {
  readonly #controller = new AbortController();

  constructor() {
    process.on("SIGINT", this.#onSignal);
    process.on("SIGTERM", this.#onSignal);
    process.on("SIGHUP", this.#onSignal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** As a signal would. */
  abort(): void {
    this.#controller.abort();
  }

  [Symbol.dispose](): void {
    process.off("SIGINT", this.#onSignal);
    process.off("SIGTERM", this.#onSignal);
    process.off("SIGHUP", this.#onSignal);
  }

  readonly #onSignal = (): void => {
    if (this.#controller.signal.aborted) exitProcess(EXIT.interrupted);
    this.#controller.abort();
  };
}
