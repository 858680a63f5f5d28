// Tool choices that someone asked for, each for one request: a preview that must be
// resolved next, a title that must be set. First in, first used.

import type { ToolChoice } from "@tau/ai/request";

export class ForcedChoices {
  readonly #queue: ToolChoice[] = [];

  push(choice: ToolChoice): void {
    this.#queue.push(choice);
  }

  /** For the next request, and for its retries; used up with it. */
  take(): ToolChoice | undefined {
    return this.#queue.shift();
  }

  get size(): number {
    return this.#queue.length;
  }

  clear(): void {
    this.#queue.length = 0;
  }
}
