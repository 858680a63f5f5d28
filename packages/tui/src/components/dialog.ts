// What all dialogs share: a question in a frame, an answer as a promise, and a cancel that
// settles it. Whoever shows the dialog waits for `result` and takes it away then.

import type { FocusableComponent, Rendered } from "../component.ts";
import type { KeyInput } from "../key-input.ts";
import type { Theme } from "../theme/theme.ts";
import { Panel } from "./panel.ts";

/** Undefined: it was cancelled. */
export type DialogResult<T> = Promise<T | undefined>;

export abstract class Dialog<T> implements FocusableComponent {
  readonly result: DialogResult<T>;
  readonly #panel: Panel;
  readonly #answered = new AbortController();
  #settle: ((answer: T | undefined) => void) | undefined;

  constructor({ title, theme, signal }: { title: string; theme: Theme; signal?: AbortSignal }) {
    const { promise, resolve } = Promise.withResolvers<T | undefined>();
    this.result = promise;
    this.#settle = resolve;
    const content = {
      state: "live" as const,
      render: (columns: number) => this.renderContent(columns),
    };
    this.#panel = new Panel({ title, theme, content, border: "borderAccent" });
    if (signal?.aborted) this.cancel();
    // A signal may outlive many dialogs: the answer takes the listener away again.
    const listening = { once: true, signal: this.#answered.signal };
    signal?.addEventListener("abort", () => this.cancel(), listening);
  }

  get state(): "live" | "final" {
    return this.#settle ? "live" : "final";
  }

  cancel(): void {
    this.answer(undefined);
  }

  render(columns: number): Rendered {
    return this.#panel.render(columns);
  }

  /** A dialog that is open takes every key: none may act behind it. */
  handleKey(input: KeyInput): boolean {
    if (!this.#settle) return false;
    this.handleOwnKey(input);
    return true;
  }

  protected answer(answer: T | undefined): void {
    this.#settle?.(answer);
    this.#settle = undefined;
    this.#answered.abort();
  }

  protected abstract renderContent(columns: number): Rendered;
  protected abstract handleOwnKey(input: KeyInput): void;
}
