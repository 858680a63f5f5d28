// The pending waits of one terminal: each is looked at again whenever something happens on
// the screen, and ends with the screen in its hands, met or not. No wait polls.

/** A wait that ended without its condition; the message shows the screen. */
export class TerminalWaitError extends Error {
  override readonly name = "TerminalWaitError";
  readonly screen: string[];

  constructor(problem: string, screen: string[]) {
    super(`${problem}\n${frame(screen)}`);
    this.screen = screen;
  }
}

function frame(rows: string[]): string {
  const last = rows.findLastIndex((row) => row !== "");
  const shown = rows.slice(0, last + 1).map((row) => `| ${row}`);
  return shown.length === 0 ? "(the screen is blank)" : shown.join("\n");
}

/** What one wait does when woken, and how it cleans up. */
export interface Watcher {
  check: () => void;
  stop?: () => void;
}

/** Without a problem the wait is met. */
export type Finish = (problem?: string) => void;

export class ScreenWaits {
  readonly #screen: () => string[];
  readonly #pending = new Set<{ watch: () => void; finish: Finish }>();
  #ended: string | undefined;

  constructor(screen: () => string[]) {
    this.#screen = screen;
  }

  start(what: string, timeoutMs: number, begin: (finish: Finish) => Watcher): Promise<string[]> {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      this.#pending.delete(wait);
      watcher.stop?.();
      act();
    };
    const finish: Finish = (problem) => {
      const screen = this.#screen();
      if (problem === undefined) return settle(() => resolve(screen));
      settle(() => reject(new TerminalWaitError(`${what}: ${problem}`, screen)));
    };
    const watcher = begin(finish);
    const watch = (): void => {
      try {
        watcher.check();
      } catch (error) {
        // The test's own condition threw: that is its answer.
        settle(() => reject(error));
      }
    };
    const timer = setTimeout(() => finish(`not within ${timeoutMs} ms`), timeoutMs);
    const wait = { watch, finish };
    this.#pending.add(wait);
    if (this.#ended === undefined) watch();
    else finish(this.#ended);
    return promise;
  }

  /** Something may have changed. */
  wake(): void {
    for (const { watch } of this.#pending) watch();
  }

  /** Nothing will change any more: pending and later waits fail with `problem`. */
  end(problem: string): void {
    this.#ended = problem;
    for (const { finish } of this.#pending) finish(problem);
  }
}
