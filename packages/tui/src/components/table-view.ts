// A table of plain texts as a component; how it fits is `table-layout.ts`.

import type { Component, Rendered } from "../component.ts";
import type { Theme } from "../theme/theme.ts";
import { cleanLine } from "./clean-text.ts";
import { layoutTable, type Alignment } from "./table-layout.ts";

export interface TableViewOptions {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  alignments?: readonly Alignment[];
  theme: Theme;
}

export class TableView implements Component {
  readonly state = "final";
  readonly #options: TableViewOptions;
  #cached: { columns: number; rendered: Rendered } | undefined;

  constructor(options: TableViewOptions) {
    this.#options = options;
  }

  render(columns: number): Rendered {
    if (this.#cached?.columns !== columns) {
      const { header, rows, alignments, theme } = this.#options;
      const bold = theme.attribute("bold");
      const content = {
        header: header.map((text) => [{ text: cleanLine(text), paint: bold }]),
        rows: rows.map((row) => row.map((text) => [{ text: cleanLine(text) }])),
        alignments,
      };
      const drawn = layoutTable(content, Math.max(1, columns), theme);
      this.#cached = { columns, rendered: { rows: drawn, stableRows: drawn.length } };
    }
    return this.#cached.rendered;
  }
}
