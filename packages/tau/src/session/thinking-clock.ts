// How long a model thought, thought by thought, in the reply that is coming in.

import type { SessionEvent } from "./session-event.ts";

export class ThinkingClock {
  readonly #since = new Map<number, number>();
  #took: number[] = [];

  see(event: SessionEvent): void {
    if (event.type === "message_start") {
      this.#since.clear();
      this.#took = [];
    }
    if (event.type !== "message_update") return;
    const { event: part } = event;
    if (part.type === "thinking_start") this.#since.set(part.index, performance.now());
    if (part.type !== "thinking_end") return;
    const since = this.#since.get(part.index) ?? performance.now();
    this.#took.push(Math.round(performance.now() - since));
  }

  /** Of the last reply; undefined if it did not think. */
  get took(): readonly number[] | undefined {
    return this.#took.length === 0 ? undefined : this.#took;
  }
}
