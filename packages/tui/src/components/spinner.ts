// Says that something is going on, for as long as it is drawn.

import type { Component, Rendered } from "../component.ts";
import type { Theme } from "../theme/theme.ts";
import type { AnimationClock } from "./animation-clock.ts";
import { cleanLine } from "./clean-text.ts";
import { fitSpans } from "./spans.ts";

export interface SpinnerOptions {
  clock: AnimationClock;
  theme: Theme;
  label: string;
}

export class Spinner implements Component {
  readonly #options: SpinnerOptions;
  #label: string;
  #last: { sign: string; ok: boolean } | undefined;

  constructor(options: SpinnerOptions) {
    this.#options = options;
    this.#label = options.label;
  }

  get state(): "live" | "final" {
    return this.#last ? "final" : "live";
  }

  setLabel(label: string): void {
    if (!this.#last) this.#label = label;
  }

  /** It is over; from now on it stands still. */
  finish(outcome: "success" | "error", label = this.#label): void {
    if (this.#last) return;
    this.#label = label;
    this.#last = { sign: this.#options.theme.symbols[outcome], ok: outcome === "success" };
  }

  render(columns: number): Rendered {
    const { clock, theme } = this.#options;
    const text = ` ${cleanLine(this.#label)}`;
    if (this.#last) {
      const { sign, ok } = this.#last;
      const paint = theme.style(ok ? "success" : "error");
      return {
        rows: [fitSpans([{ text: sign, paint }, { text }], Math.max(1, columns))],
        stableRows: 1,
      };
    }
    clock.keepGoing();
    const frames = theme.spinnerFrames.status;
    const sign = frames[clock.frame % frames.length]!;
    const spans = [
      { text: sign, paint: theme.style("accent") },
      { text, paint: theme.style("muted") },
    ];
    return { rows: [fitSpans(spans, Math.max(1, columns))], stableRows: 0 };
  }
}
