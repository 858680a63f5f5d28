// A picture in the transcript. Its place is taken when it comes; what is drawn there follows when
// it has been made fit, and words stand there where the terminal shows no pictures.

import type { Component, Rendered } from "@tau/tui/component";

export class PictureBlock implements Component {
  #rows: readonly string[] | undefined;

  get state(): "live" | "final" {
    return this.#rows ? "final" : "live";
  }

  finish(rows: readonly string[]): void {
    this.#rows ??= rows;
  }

  render(): Rendered {
    const rows = this.#rows ?? [];
    return { rows, stableRows: rows.length };
  }
}
