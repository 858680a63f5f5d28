// A question that opens under the fingers would take the next letter for its answer. So it waits
// until they rest: somebody who types goes on typing, and a key that is pressed twice answers one
// question, not two.

/** Longer than the pause between two words, shorter than the patience of who waits for it. */
const REST_MS = 700;

export class TypingRest {
  #lastKey = Number.NEGATIVE_INFINITY;

  pressed(): void {
    this.#lastKey = performance.now();
  }

  /** What was typed is sent or gone: nothing more of it is to come. */
  done(): void {
    this.#lastKey = Number.NEGATIVE_INFINITY;
  }

  async wait(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const left = this.#lastKey + REST_MS - performance.now();
      if (left <= 0) return;
      await Bun.sleep(left);
    }
  }
}
