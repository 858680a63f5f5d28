// A frame with a title around another component.

import type { Component, Rendered } from "../component.ts";
import type { Theme } from "../theme/theme.ts";
import type { ThemeToken } from "../theme/tokens.ts";
import { displayWidth, fitLine } from "../width.ts";
import { cleanLine } from "./clean-text.ts";

export interface PanelOptions {
  content: Component;
  theme: Theme;
  /** What may change is asked for each time that it is drawn. */
  title?: string | (() => string);
  border?: ThemeToken;
}

// The frame takes two columns on either side; below this there is no room for it.
const FRAME_COLUMNS = 4;
const MIN_FRAMED_COLUMNS = 12;

export class Panel implements Component {
  readonly #options: PanelOptions;

  constructor(options: PanelOptions) {
    this.#options = options;
  }

  get state(): "live" | "final" {
    return this.#options.content.state;
  }

  render(columns: number): Rendered {
    const { content, theme, title: given = "", border = "border" } = this.#options;
    if (columns < MIN_FRAMED_COLUMNS) return content.render(Math.max(1, columns));
    const title = typeof given === "string" ? given : given();
    const room = columns - FRAME_COLUMNS;
    const inner = content.render(room);
    const paint = theme.style(border);
    const { symbols } = theme;
    const side = symbols.boxVertical;
    const line = symbols.boxHorizontal;
    const shown = title === "" ? "" : ` ${fitLine(cleanLine(title), room - 2)} `;
    const rest = columns - 3 - displayWidth(shown);
    const top =
      symbols.boxTopLeft + line + shown + line.repeat(Math.max(0, rest)) + symbols.boxTopRight;
    const bottom = symbols.boxBottomLeft + line.repeat(columns - 2) + symbols.boxBottomRight;
    const rows = [paint(top)];
    for (const row of inner.rows) {
      const blanks = " ".repeat(Math.max(0, room - displayWidth(row)));
      rows.push(`${paint(side)} ${row}${blanks} ${paint(side)}`);
    }
    rows.push(paint(bottom));
    // The lower edge is only there when nothing can come in between any more.
    const stableRows = this.state === "final" ? rows.length : stableOf(inner);
    if (!inner.caret) return { rows, stableRows };
    return {
      rows,
      stableRows,
      caret: { row: inner.caret.row + 1, column: inner.caret.column + 2 },
    };
  }
}

/** The upper edge counts as soon as something below it does. */
const stableOf = (inner: Rendered): number => (inner.stableRows > 0 ? inner.stableRows + 1 : 0);
