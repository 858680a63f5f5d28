// A signal that ends with one of its parents or on its own, for one call of a run. Unlike
// `AbortSignal.any` it lets go of its parents when disposed: a run's signal outlives
// thousands of calls.

export class LinkedAbort implements Disposable {
  readonly #controller = new AbortController();
  readonly #parents: readonly AbortSignal[];
  readonly #follow = (): void => this.abort(this.#parents.find(({ aborted }) => aborted)?.reason);

  constructor(...parents: readonly AbortSignal[]) {
    this.#parents = parents;
    if (parents.some(({ aborted }) => aborted)) this.#follow();
    else {
      for (const parent of parents) parent.addEventListener("abort", this.#follow);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  [Symbol.dispose](): void {
    for (const parent of this.#parents) parent.removeEventListener("abort", this.#follow);
  }
}
