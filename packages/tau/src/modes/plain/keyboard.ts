// Hears the keyboard while an answer comes and nobody asks for a line. The terminal keeps its own mode then,
// so that Ctrl-C is a signal; but it has to be read: a Ctrl-D that is still unread when the next prompt
// switches the mode is no Ctrl-D any more.

import type { TypeAhead } from "./type-ahead.ts";

export class Keyboard {
  readonly #typeAhead: TypeAhead;
  #isOver = false;
  #listening = 0;

  constructor(typeAhead: TypeAhead) {
    this.#typeAhead = typeAhead;
  }

  /** Ctrl-D: no line will follow those that were typed before. */
  get isOver(): boolean {
    return this.#isOver;
  }

  end(): void {
    this.#isOver = true;
  }

  /** Until it is disposed of. */
  listen(): Disposable {
    this.#listening++;
    this.#start();
    return {
      [Symbol.dispose]: () => {
        this.#listening--;
        this.#stop();
      },
    };
  }

  /** While somebody else reads. */
  async resting<T>(work: () => Promise<T>): Promise<T> {
    this.#stop();
    try {
      return await work();
    } finally {
      if (this.#listening > 0) this.#start();
    }
  }

  #start(): void {
    const { stdin } = process;
    if (this.#isOver || stdin.listeners("data").includes(this.#onData)) return;
    stdin.on("data", this.#onData);
    stdin.once("end", this.#onEnd);
    stdin.resume();
  }

  #stop(): void {
    const { stdin } = process;
    stdin.off("data", this.#onData);
    stdin.off("end", this.#onEnd);
    stdin.pause();
  }

  readonly #onData = (bytes: Uint8Array | string): void => {
    this.#typeAhead.add(typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes));
  };

  readonly #onEnd = (): void => this.end();
}
