// Screens one over another: the lowest stands where the prompt would, a question that it asks
// lies over it, and only the topmost gets keys and shows a caret.

import type { Component, FocusableComponent, Rendered } from "@tau/tui/component";
import { compose, type Window } from "@tau/tui/screen/overlay";

export class OverlayStack implements Component {
  readonly state = "live";
  readonly #shown: readonly { component: FocusableComponent }[];
  readonly #rows: () => number;

  constructor(shown: readonly { component: FocusableComponent }[], rows: () => number) {
    this.#shown = shown;
    this.#rows = rows;
  }

  render(columns: number): Rendered {
    const size = { columns, rows: this.#rows() };
    const bare: Window = { rows: [] };
    const { rows, caret } = this.#shown.reduce(
      (window, { component }) => compose(window, { component }, size),
      bare,
    );
    return { rows, stableRows: 0, ...(caret ? { caret } : {}) };
  }
}
