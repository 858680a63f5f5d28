// The gap before a block of the transcript. Calls of tools stand close together, everything else
// has a row of air. It is decided when the block comes, from what is already there, because what
// is in history cannot be moved apart later.

import type { Component, Rendered } from "@tau/tui/component";

export type BlockKind = "words" | "call" | "note";

export class Spaced implements Component {
  readonly #content: Component;
  readonly #gap: boolean;

  constructor(content: Component, kind: BlockKind, before: BlockKind | undefined) {
    this.#content = content;
    this.#gap = before !== undefined && !(kind === before && kind !== "words");
  }

  get state(): "live" | "final" {
    return this.#content.state;
  }

  render(columns: number): Rendered {
    const inner = this.#content.render(columns);
    // Nothing to see yet, and perhaps never: no gap for it.
    if (!this.#gap || inner.rows.length === 0) return inner;
    const stableRows = inner.stableRows > 0 || this.state === "final" ? inner.stableRows + 1 : 0;
    const caret = inner.caret && { ...inner.caret, row: inner.caret.row + 1 };
    return { rows: ["", ...inner.rows], stableRows, caret };
  }
}
