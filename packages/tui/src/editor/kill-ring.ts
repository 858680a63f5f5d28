// What was cut, newest last. Cuts that follow one another become one entry, so that a
// few Ctrl-W can be brought back with a single Ctrl-Y.

export type KillDirection = "forward" | "backward";

const MAX_ENTRIES = 60;
const MAX_CHARS = 8 * 1024 * 1024;

export class KillRing {
  #entries: string[] = [];
  #at = 0;

  get size(): number {
    return this.#entries.length;
  }

  push(text: string, direction: KillDirection, joined: "new" | "joined"): void {
    if (text === "") return;
    if (joined === "joined" && this.#entries.length > 0) {
      const last = this.#entries.pop()!;
      this.#entries.push(direction === "forward" ? last + text : text + last);
    } else this.#entries.push(text);
    const chars = (): number => this.#entries.reduce((sum, entry) => sum + entry.length, 0);
    while (
      this.#entries.length > MAX_ENTRIES ||
      (this.#entries.length > 1 && chars() > MAX_CHARS)
    ) {
      this.#entries.shift();
    }
    this.#at = this.#entries.length - 1;
  }

  /** The newest entry. */
  current(): string | undefined {
    this.#at = this.#entries.length - 1;
    return this.#entries[this.#at];
  }

  /** The entry before the one given last, and around from the oldest to the newest. */
  rotate(): string | undefined {
    const { length } = this.#entries;
    if (length === 0) return undefined;
    this.#at = (this.#at - 1 + length) % length;
    return this.#entries[this.#at];
  }

  keepOnly(keep: (entry: string) => boolean): void {
    this.#entries = this.#entries.filter(keep);
    this.#at = this.#entries.length - 1;
  }
}
