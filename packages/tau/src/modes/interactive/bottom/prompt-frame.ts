// The prompt between two lines, whose colour says what Enter will do: talk to the model (and how
// hard it thinks), run a command, or run a cell.

import type { Component, Rendered } from "@tau/tui/component";
import { fitSpans } from "@tau/tui/components/spans";
import type { Theme } from "@tau/tui/theme/theme";
import type { ThemeToken } from "@tau/tui/theme/tokens";

export interface PromptFrameOptions {
  theme: Theme;
  editor: Component;
  border(): ThemeToken;
  /** A few words in the upper line: the mode, a pending chord. */
  label?(): string | undefined;
}

export class PromptFrame implements Component {
  readonly state = "live";
  readonly #options: PromptFrameOptions;

  constructor(options: PromptFrameOptions) {
    this.#options = options;
  }

  render(columns: number): Rendered {
    const { theme, editor, border, label } = this.#options;
    const width = Math.max(1, columns);
    const inner = editor.render(width);
    const paint = theme.style(border());
    const { rule } = theme.symbols;
    const words = label?.();
    const head = words === undefined ? "" : `${rule.repeat(2)} ${words} `;
    const top = fitSpans([{ text: head + rule.repeat(width), paint }], width + 1).replace("…", "");
    const line = paint(rule.repeat(width));
    const rows = [words === undefined ? line : top, ...inner.rows, line];
    const caret = inner.caret && { ...inner.caret, row: inner.caret.row + 1 };
    return { rows, stableRows: 0, caret };
  }
}
