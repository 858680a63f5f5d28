// A feature's own entry, drawn as the feature wants; if it cannot, as the note that every front-end shows.

import type { Component, Rendered } from "@tau/tui/component";
import type { EntryLook, EntryView } from "../../../feature-api/terminal-feature.ts";
import type { AnyCustomEntry } from "../../../session/kinds/custom-kinds.ts";

export interface EntryBlockOptions extends Omit<EntryLook, "columns"> {
  entry: AnyCustomEntry;
  view: EntryView;
  /** What is shown instead if the view has nothing to show. */
  note: Component;
}

export class EntryBlock implements Component {
  readonly state = "final";
  readonly #options: EntryBlockOptions;
  /** What is over looks the same whenever it is asked. */
  #drawn: { columns: number; rendered: Rendered } | undefined;

  constructor(options: EntryBlockOptions) {
    this.#options = options;
  }

  render(columns: number): Rendered {
    const width = Math.max(1, columns);
    if (this.#drawn?.columns === width) return this.#drawn.rendered;
    const { entry, view, note, theme, detail } = this.#options;
    const rows = view(entry, { theme, columns: width, detail });
    const rendered = rows ? { rows, stableRows: rows.length } : note.render(width);
    this.#drawn = { columns: width, rendered };
    return rendered;
  }
}
