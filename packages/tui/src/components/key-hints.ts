// One row that says which keys do what here, taken from the table of keys: a remap shows.

import type { Component, Rendered } from "../component.ts";
import type { KeyBindings } from "../keys/key-bindings.ts";
import type { Theme } from "../theme/theme.ts";
import { displayWidth } from "../width.ts";
import type { Span } from "./spans.ts";
import { fitSpans } from "./spans.ts";

export interface KeyHint {
  action: string;
  /** Shorter than the action's description. */
  label: string;
}

export interface KeyHintsOptions {
  hints: readonly KeyHint[];
  bindings: KeyBindings;
  theme: Theme;
}

export class KeyHints implements Component {
  readonly state = "live";
  readonly #options: KeyHintsOptions;

  constructor(options: KeyHintsOptions) {
    this.#options = options;
  }

  /** Whole hints only: half a hint misleads. Actions without a key are left out. */
  render(columns: number): Rendered {
    const { hints, bindings, theme } = this.#options;
    const between = ` ${theme.symbols.separator} `;
    const spans: Span[] = [];
    let width = 0;
    for (const { action, label } of hints) {
      const keys = bindings.hint(action);
      if (keys === undefined) continue;
      const gap = spans.length > 0 ? between : "";
      const next = displayWidth(`${gap}${keys} ${label}`);
      if (width + next > columns) break;
      width += next;
      spans.push({ text: gap, paint: theme.style("dim") });
      spans.push({ text: keys, paint: theme.style("accent") });
      spans.push({ text: ` ${label}`, paint: theme.style("muted") });
    }
    return { rows: spans.length === 0 ? [] : [fitSpans(spans, columns)], stableRows: 0 };
  }
}
