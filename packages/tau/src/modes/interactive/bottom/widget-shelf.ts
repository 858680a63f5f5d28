// What extensions keep in sight above or below the prompt. Each has its rows, all together a share of the
// screen: the conversation and the prompt are never pushed away.

import type { Component, Rendered } from "@tau/tui/component";
import type { Theme } from "@tau/tui/theme/theme";
import { fitLine } from "@tau/tui/width";
import { senderRow } from "../sender-title.ts";

/** Of one widget; more is a screen of its own. */
const MAX_WIDGET_ROWS = 10;
/** All of them together take at most this share of the screen. */
const MAX_SHARE = 1 / 3;

export interface ShelfPlace {
  readonly theme: Theme;
  readonly size: { readonly rows: number };
}

export type ShelvedWidget = Component & Partial<Disposable>;

export class WidgetShelf implements Component {
  readonly state = "live";
  readonly #place: ShelfPlace;
  readonly #widgets = new Map<string, { widget: ShelvedWidget; from: string }>();

  constructor(place: ShelfPlace) {
    this.#place = place;
  }

  /** In the place of the one that had the key; undefined takes it away. */
  put(key: string, widget: ShelvedWidget | undefined, from: string): void {
    this.#widgets.get(key)?.widget[Symbol.dispose]?.();
    if (widget) this.#widgets.set(key, { widget, from });
    else this.#widgets.delete(key);
  }

  render(columns: number): Rendered {
    if (this.#widgets.size === 0) return { rows: [], stableRows: 0 };
    const width = Math.max(1, columns);
    let last: string | undefined;
    const all = [...this.#widgets.values()].flatMap(({ widget, from }) => {
      const rows = this.#cut(widget.render(width).rows, MAX_WIDGET_ROWS, width);
      // Several of one extension that stand together have one title.
      if (rows.length === 0 || from === last) return rows;
      last = from;
      return [senderRow(from, this.#place.theme, width), ...rows];
    });
    const room = Math.max(1, Math.floor(this.#place.size.rows * MAX_SHARE));
    return { rows: this.#cut(all, room, width), stableRows: 0 };
  }

  #cut(rows: readonly string[], room: number, columns: number): readonly string[] {
    if (rows.length <= room) return rows;
    const { theme } = this.#place;
    const note = `${theme.symbols.ellipsis} ${rows.length - room + 1} more rows`;
    return [...rows.slice(0, room - 1), theme.style("muted")(fitLine(note, columns))];
  }
}
