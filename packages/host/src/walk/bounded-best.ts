// Keeps the best few of a long stream in memory that does not grow with it: a heap whose
// top is the worst of those kept. With it "the newest 200" means of all, not of the first.

/** Negative when `a` comes before `b` in the result. */
export type Order<T> = (a: T, b: T) => number;

export class BoundedBest<T> {
  readonly #order: Order<T>;
  readonly #limit: number;
  readonly #heap: T[] = [];
  #offered = 0;

  constructor(limit: number, order: Order<T>) {
    this.#limit = Math.max(0, limit);
    this.#order = order;
  }

  /** How many were offered, kept or not. */
  get offered(): number {
    return this.#offered;
  }

  /** As if everything that was offered to `other` had been offered here. */
  absorb(other: BoundedBest<T>): void {
    for (const item of other.#heap) this.offer(item);
    this.#offered += other.#offered - other.#heap.length;
  }

  clear(): void {
    this.#heap.length = 0;
    this.#offered = 0;
  }

  offer(item: T): void {
    this.#offered += 1;
    if (this.#limit === 0) return;
    if (this.#heap.length < this.#limit) {
      this.#heap.push(item);
      this.#rise(this.#heap.length - 1);
    } else if (this.#order(item, this.#heap[0]!) < 0) {
      this.#heap[0] = item;
      this.#sink();
    }
  }

  /** Best first. */
  sorted(): T[] {
    return this.#heap.toSorted(this.#order);
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#order(this.#heap[at]!, this.#heap[parent]!) <= 0) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child >= this.#heap.length) continue;
        if (this.#order(this.#heap[child]!, this.#heap[worst]!) > 0) worst = child;
      }
      if (worst === at) return;
      this.#swap(at, worst);
      at = worst;
    }
  }

  #swap(a: number, b: number): void {
    const held = this.#heap[a]!;
    this.#heap[a] = this.#heap[b]!;
    this.#heap[b] = held;
  }
}
