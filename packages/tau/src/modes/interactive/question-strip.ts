// A question that waits while the person is in something else: who asks, about what, and the key
// that gets to it. A row or two above the prompt, or below the screen that is open.

import type { Component, Rendered } from "@tau/tui/component";
import { cleanLine } from "@tau/tui/components/clean-text";
import { fitSpans } from "@tau/tui/components/spans";
import type { Theme } from "@tau/tui/theme/theme";
import { displayWidth } from "@tau/tui/width";

export interface Strip {
  asks: string;
  about: string;
  /** How it gets answered. */
  how: string;
}

/** Narrower than this, how to answer has a row of its own. */
const ONE_ROW_COLUMNS = 60;
/** Longer is cut before it is laid out. */
const MAX_ABOUT_CHARS = 400;

export class QuestionStrip implements Component {
  readonly state = "live";
  readonly #theme: Theme;
  readonly #strip: () => Strip | undefined;

  constructor(theme: Theme, strip: () => Strip | undefined) {
    this.#theme = theme;
    this.#strip = strip;
  }

  /** Rows that it takes now. */
  height(columns: number): number {
    if (!this.#strip()) return 0;
    return columns < ONE_ROW_COLUMNS ? 2 : 1;
  }

  render(columns: number): Rendered {
    const strip = this.#strip();
    if (!strip) return { rows: [], stableRows: 0 };
    const theme = this.#theme;
    const width = Math.max(1, columns);
    const how = { text: strip.how, paint: theme.style("accent") };
    const words = [
      { text: `? ${cleanLine(strip.asks)}  `, paint: theme.style("warning") },
      { text: cleanLine(strip.about.slice(0, MAX_ABOUT_CHARS)), paint: theme.style("text") },
    ];
    if (this.height(columns) === 2) {
      const rows = [fitSpans(words, width), fitSpans([{ text: "  " }, how], width)];
      return { rows, stableRows: 0 };
    }
    const room = Math.max(1, width - displayWidth(strip.how) - 2);
    const head = fitSpans(words, room);
    const gap = " ".repeat(Math.max(2, width - displayWidth(head) - displayWidth(strip.how)));
    return { rows: [`${head}${gap}${how.paint(strip.how)}`], stableRows: 0 };
  }
}
