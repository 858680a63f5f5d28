// A theme that can become another one while components hold it: whoever draws asks for its
// paints anew, so that the next frame is in the new colours. Rows in history keep the old ones.

import type { ColorDepth } from "./color.ts";
import type { SpinnerFrames, Symbols } from "./symbols.ts";
import type { Paint, TextAttribute, Theme } from "./theme.ts";
import type { ThemeToken } from "./tokens.ts";

export class LiveTheme implements Theme {
  #current: Theme;

  constructor(first: Theme) {
    this.#current = first;
  }

  use(theme: Theme): void {
    this.#current = theme;
  }

  get current(): Theme {
    return this.#current;
  }

  get name(): string {
    return this.#current.name;
  }

  get depth(): ColorDepth {
    return this.#current.depth;
  }

  get symbols(): Symbols {
    return this.#current.symbols;
  }

  get spinnerFrames(): SpinnerFrames {
    return this.#current.spinnerFrames;
  }

  style(token: ThemeToken): Paint {
    return this.#current.style(token);
  }

  attribute(name: TextAttribute): Paint {
    return this.#current.attribute(name);
  }
}
