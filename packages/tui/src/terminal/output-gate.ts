// The way out to the terminal. A terminal that reads slowly must not make memory grow: while
// something is on its way, the gate is closed, and whoever paints waits until it opens and
// then paints what is true by then. Nothing is thrown away that was accepted.

export interface OutputStream {
  write(text: string, done: (error?: Error | null) => void): boolean;
}

export class OutputGate {
  readonly #stream: OutputStream;
  #onTheWay = 0;
  #failed = false;
  readonly #onOpen: () => void;

  constructor(stream: OutputStream, onOpen: () => void) {
    this.#stream = stream;
    this.#onOpen = onOpen;
  }

  /** False while bytes of a frame are still on their way. */
  get open(): boolean {
    return this.#onTheWay === 0 && !this.#failed;
  }

  /** The terminal is gone; nothing can be written any more. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Questions and mode changes are small and may be sent at any time; frames ask `open` first. */
  write(bytes: string): void {
    if (bytes === "" || this.#failed) return;
    this.#onTheWay += 1;
    this.#stream.write(bytes, (error) => {
      this.#onTheWay -= 1;
      if (error) this.#failed = true;
      else if (this.#onTheWay === 0) this.#onOpen();
    });
  }
}
