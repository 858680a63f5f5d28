// The conflicts that the model has been shown, by number, so that it can say how each one is
// to be resolved without repeating what it is about.

import type { Conflict } from "./conflicts.ts";

export interface KnownConflict extends Conflict {
  id: string;
  /** Absolute. */
  path: string;
  /** Of the file when it was shown: what the lines refer to. */
  text: string;
}

export class ConflictStore {
  readonly #known = new Map<string, KnownConflict>();
  #count = 0;

  /** What was known of the file before is void. */
  record(path: string, text: string, conflicts: readonly Conflict[]): KnownConflict[] {
    this.forget(path);
    return conflicts.map((conflict) => {
      const known = { ...conflict, id: String(++this.#count), path, text };
      this.#known.set(known.id, known);
      return known;
    });
  }

  /** Some were resolved: the others keep their numbers at their new lines. */
  moveOn(
    path: string,
    text: string,
    left: readonly Conflict[],
    resolved: readonly KnownConflict[],
  ): void {
    for (const { id } of resolved) this.#known.delete(id);
    const others = this.all.filter((conflict) => conflict.path === path);
    // In the order of the file on both sides; where they do not pair up, nothing is known.
    const pairs = others.toSorted((a, b) => a.start - b.start);
    for (const { id } of others) this.#known.delete(id);
    if (pairs.length !== left.length) return;
    for (const [at, { id }] of pairs.entries()) {
      this.#known.set(id, { ...left[at]!, id, path, text });
    }
  }

  get(id: string): KnownConflict | undefined {
    return this.#known.get(id);
  }

  get all(): readonly KnownConflict[] {
    return [...this.#known.values()];
  }

  forget(path: string): void {
    for (const { id, path: of } of this.#known.values()) if (of === path) this.#known.delete(id);
  }
}
