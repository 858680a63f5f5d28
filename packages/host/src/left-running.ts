// What a program left running in the background on purpose, such as a notification on its way: it may go
// on for as long as the program itself might have taken, and a moment longer when its owner leaves.

import { endProcesses } from "./process/process-tree.ts";

/** For a message that is being sent; whoever leaves does not wait for a daemon. */
const LAST_MOMENT_MS = 1000;
const POLL_MS = 20;

type Find = () => readonly number[];

export class LeftRunning implements AsyncDisposable {
  readonly #groups = new Map<Find, ReturnType<typeof setTimeout>>();

  /** `find`: those of them that are still there. */
  watch(find: Find, limitMs: number): void {
    if (find().length === 0) return;
    const timer = setTimeout(() => void this.#end(find), limitMs);
    timer.unref();
    this.#groups.set(find, timer);
  }

  async #end(find: Find): Promise<void> {
    clearTimeout(this.#groups.get(find));
    this.#groups.delete(find);
    await endProcesses(find, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const deadline = performance.now() + LAST_MOMENT_MS;
    await Promise.all(
      [...this.#groups.keys()].map(async (find) => {
        while (find().length > 0 && performance.now() < deadline) await Bun.sleep(POLL_MS);
        await this.#end(find);
      }),
    );
  }
}
