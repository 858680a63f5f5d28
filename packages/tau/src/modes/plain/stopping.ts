// Stopping at a terminal that can only print: Ctrl-C stops what runs, asked again it leaves, and so does a
// polite kill or a terminal that is gone. All of them leave in order, so that nothing of the session is
// left locked and nothing that was seen is lost; only whoever asks a third time does not wait for order.

import { exitProcess } from "@tau/tui/terminal/own-exit";
import { EXIT } from "../../exit-code.ts";

const LEAVING_SIGNALS = ["SIGTERM", "SIGHUP"] as const;

/** Two within this are one wish, as in the full terminal. */
const DOUBLE_PRESS_MS = 500;

export class Stopping implements Disposable {
  readonly #leaving = new AbortController();
  #run: AbortController | undefined;
  #lastPress = Number.NEGATIVE_INFINITY;

  constructor() {
    process.on("SIGINT", this.interrupt);
    for (const signal of LEAVING_SIGNALS) process.on(signal, this.#leave);
  }

  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  /** What Ctrl-C stops, until it is disposed of. */
  run(): Disposable & { readonly signal: AbortSignal } {
    const run = new AbortController();
    const outer = this.#run;
    this.#run = run;
    if (this.leaving.aborted) run.abort();
    return { signal: run.signal, [Symbol.dispose]: () => (this.#run = outer) };
  }

  /** Ctrl-C where nothing has to be stopped: whether it follows another one at once. */
  press(): "first" | "second" {
    const now = performance.now();
    const isSecond = now - this.#lastPress < DOUBLE_PRESS_MS;
    this.#lastPress = now;
    return isSecond ? "second" : "first";
  }

  /** Ctrl-C while something may run. */
  readonly interrupt = (): void => {
    this.press();
    if (this.leaving.aborted) exitProcess(EXIT.interrupted);
    if (!this.#run || this.#run.signal.aborted) return this.#leave();
    this.#run.abort();
  };

  [Symbol.dispose](): void {
    process.off("SIGINT", this.interrupt);
    for (const signal of LEAVING_SIGNALS) process.off(signal, this.#leave);
  }

  readonly #leave = (): void => {
    this.#leaving.abort();
    this.#run?.abort();
  };
}
