// What Esc ends. Whoever starts something that can be stopped puts it on the stack for as long
// as it runs; Esc stops the topmost. Nobody swaps key handlers, so none can be forgotten.

export interface CancelScope extends Disposable {
  /** Shown while it is on top: "stops the answer". */
  readonly label: string;
}

export class CancelStack {
  readonly #scopes: (CancelScope & { cancel: () => void })[] = [];

  get top(): CancelScope | undefined {
    return this.#scopes.at(-1);
  }

  push(label: string, cancel: () => void): CancelScope {
    const scope = {
      label,
      cancel,
      [Symbol.dispose]: (): void => {
        const at = this.#scopes.indexOf(scope);
        if (at >= 0) this.#scopes.splice(at, 1);
      },
    };
    this.#scopes.push(scope);
    return scope;
  }

  /** False where there is nothing to stop. A scope stays until its work has really ended. */
  cancel(): boolean {
    const scope = this.#scopes.at(-1);
    scope?.cancel();
    return scope !== undefined;
  }
}
