// A signal that ends with its parent's or on its own, for one call of a run. Unlike
// `AbortSignal.any` it lets go of the parent when disposed: a run's signal outlives
// thousands of calls.

export class LinkedAbort implements Disposable {
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal;
  readonly #follow = (): void => this.abort(this.#parent.reason);

  constructor(parent: AbortSignal) {
    this.#parent = parent;
    if (parent.aborted) this.#follow();
    else parent.addEventListener("abort", this.#follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  [Symbol.dispose](): void {
    this.#parent.removeEventListener("abort", this.#follow);
  }
}
