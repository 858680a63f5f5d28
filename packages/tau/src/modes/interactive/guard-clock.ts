// The clock of what lies over the prompt. It comes from outside, so that a law about typing can be
// tried over hours of it.

export interface GuardClock {
  /** In milliseconds, from wherever. */
  now(): number;
  /** Runs it later; gives what calls it off. */
  after(milliseconds: number, run: () => void): () => void;
}

export const REAL_CLOCK: GuardClock = {
  now: () => performance.now(),
  after(milliseconds, run) {
    let immediate: ReturnType<typeof setImmediate> | undefined;
    // Keys that have come in by then go first: where the program was held up, the second letter
    // of a word must not find the first one taken for an answer.
    const timer = setTimeout(() => {
      immediate = setImmediate(run);
    }, milliseconds);
    return () => {
      clearTimeout(timer);
      if (immediate) clearImmediate(immediate);
    };
  },
};
