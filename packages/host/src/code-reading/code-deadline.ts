// How long a judgement of code may take: whoever waits for it is about to run the code. Texts that
// are made to be slow are asked about instead.

import { UnreadableCode } from "./code-node.ts";

/** Ordinary cells take a few, the first one of a busy machine a hundred. */
const MAX_MS = 400;
/** Steps between two looks at the clock. */
const STEPS = 64;

export class CodeDeadline {
  readonly #end: number;
  #steps = 0;

  constructor(ms = MAX_MS) {
    this.#end = performance.now() + ms;
  }

  /** Throws `UnreadableCode` when it has passed; a long text is worth many steps. */
  check(steps = 1): void {
    this.#steps += steps;
    if (this.#steps < STEPS) return;
    this.#steps = 0;
    if (performance.now() > this.#end) throw new UnreadableCode("it takes too long");
  }
}
