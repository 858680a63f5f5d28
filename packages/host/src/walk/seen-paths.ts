// Keeps a path from being reported twice when the places that are looked at lie within one
// another. Where they do not, which is nearly always, it remembers nothing.

/** Some 20 MB of names. Beyond it a path may come twice, which is better than no end. */
const MAX_REMEMBERED = 200_000;

export class SeenPaths {
  readonly #seen: Set<string> | undefined;

  constructor(roots: readonly string[]) {
    this.#seen = haveOverlap(roots) ? new Set() : undefined;
  }

  has(path: string): boolean {
    return this.#seen?.has(path) === true;
  }

  add(path: string): void {
    if (this.#seen !== undefined && this.#seen.size < MAX_REMEMBERED) this.#seen.add(path);
  }

  /** Adds it, and says whether it was not there yet. */
  isNew(path: string): boolean {
    const isNew = !this.has(path);
    this.add(path);
    return isNew;
  }

  /** False when paths cannot come twice. */
  get isNeeded(): boolean {
    return this.#seen !== undefined;
  }
}

function haveOverlap(roots: readonly string[]): boolean {
  const sorted = roots.map((root) => (root.endsWith("/") ? root : `${root}/`)).sort();
  // Whatever lies within a root is sorted right behind it.
  return sorted.some((root, index) => sorted[index + 1]?.startsWith(root));
}
