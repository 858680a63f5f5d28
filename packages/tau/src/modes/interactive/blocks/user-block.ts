// What a person said, with the sign of the prompt before it.

import type { Component, Rendered } from "@tau/tui/component";
import { cleanLines } from "@tau/tui/components/clean-text";
import { wrapSpans } from "@tau/tui/components/spans";
import type { Theme } from "@tau/tui/theme/theme";
import { fitLine } from "@tau/tui/width";
import type { ThemeToken } from "@tau/tui/theme/tokens";

/** More is a paste; the conversation in full has all of it. */
const MAX_ROWS = 40;
const SIGN = "›";

export interface UserBlockOptions {
  text: string;
  theme: Theme;
  /** Instead of the prompt's: `!` before a command of the user's own. */
  sign?: string;
  signToken?: ThemeToken;
  /** `full` shows every row. */
  detail?: "short" | "full";
}

export class UserBlock implements Component {
  readonly state = "final";
  readonly #options: UserBlockOptions;

  constructor(options: UserBlockOptions) {
    this.#options = options;
  }

  render(columns: number): Rendered {
    const { text, theme, sign = SIGN, signToken = "accent", detail = "short" } = this.#options;
    const paint = theme.style("userMessageText");
    const room = Math.max(1, columns - 2);
    const all = cleanLines(text.trim()).flatMap((line) => wrapSpans([{ text: line, paint }], room));
    const shown = detail === "full" || all.length <= MAX_ROWS ? all : all.slice(0, MAX_ROWS);
    const mark = theme.style(signToken)(sign);
    const rows = shown.map((row, index) => (index === 0 ? `${mark} ${row}` : `  ${row}`));
    const hidden = all.length - shown.length;
    if (hidden > 0) {
      const note = fitLine(`${theme.symbols.ellipsis} ${hidden} more rows`, room);
      rows.push(`  ${theme.style("muted")(note)}`);
    }
    if (columns < 3) return { rows: all, stableRows: all.length };
    return { rows, stableRows: rows.length };
  }
}
