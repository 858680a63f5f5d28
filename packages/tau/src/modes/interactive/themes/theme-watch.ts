// Says that one of some files in a directory has changed, once it has come to rest. The directory
// is watched, not the files: editors put a new file in the place of the old one.

import { watch, type FSWatcher } from "node:fs";
import { systemCode } from "@tau/host/storage-error";

/** An editor writes a file in several steps. */
const QUIET_MS = 100;

export class ThemeWatch implements Disposable {
  readonly #directory: string;
  readonly #onChange: () => void;
  #files: ReadonlySet<string> = new Set();
  #watcher: FSWatcher | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(directory: string, onChange: () => void) {
    this.#directory = directory;
    this.#onChange = onChange;
  }

  /** From now on these count. Begins to watch where that is possible and was not before. */
  follow(files: ReadonlySet<string>): void {
    this.#files = files;
    if (this.#watcher) return;
    try {
      // It must not keep a program alive that has nothing else to do.
      this.#watcher = watch(this.#directory, { persistent: false }, (_event, name) => {
        if (name === null || this.#files.has(name)) this.#notice();
      });
      this.#watcher.on("error", () => this.#stop());
    } catch (error) {
      // No such directory, or no handles left: changes count at the next start.
      if (systemCode(error) === undefined) throw error;
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#stop();
  }

  #notice(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onChange, QUIET_MS);
    this.#timer.unref();
  }

  #stop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
