// How far something has come; without a known end, a block that wanders while it is drawn.

import type { Component, Rendered } from "../component.ts";
import type { Theme } from "../theme/theme.ts";
import { displayWidth, fitLine } from "../width.ts";
import type { AnimationClock } from "./animation-clock.ts";
import { cleanLine } from "./clean-text.ts";
import { fitSpans } from "./spans.ts";

export interface ProgressBarOptions {
  clock: AnimationClock;
  theme: Theme;
  label?: string;
  /** Columns of the bar itself at most. */
  barColumns?: number;
}

const DEFAULT_BAR_COLUMNS = 30;
const WANDERING_COLUMNS = 4;
const PERCENT_COLUMNS = 5;

export class ProgressBar implements Component {
  readonly #options: ProgressBarOptions;
  #fraction: number | undefined;

  constructor(options: ProgressBarOptions) {
    this.#options = options;
  }

  get state(): "live" | "final" {
    return this.#fraction === 1 ? "final" : "live";
  }

  /** From 0 to 1; undefined where nobody knows. */
  set(fraction: number | undefined): void {
    if (this.state === "final") return;
    const isNumber = fraction !== undefined && Number.isFinite(fraction);
    this.#fraction = isNumber ? Math.max(0, Math.min(1, fraction)) : undefined;
  }

  render(columns: number): Rendered {
    const { clock, theme, label = "", barColumns = DEFAULT_BAR_COLUMNS } = this.#options;
    const width = Math.max(1, columns);
    const { barFull, barEmpty } = theme.symbols;
    const room = Math.min(barColumns, width - PERCENT_COLUMNS);
    const fraction = this.#fraction;
    if (fraction === undefined) clock.keepGoing();
    const percent = fraction === undefined ? "" : ` ${Math.floor(fraction * 100)}%`;
    if (room < 1) return { rows: [fitLine(percent.trim(), width)], stableRows: this.#stableRows };
    const size =
      fraction === undefined ? Math.min(WANDERING_COLUMNS, room) : Math.round(fraction * room);
    const start = fraction === undefined ? wander(clock.frame, room - size) : 0;
    const bar =
      barEmpty.repeat(start) + barFull.repeat(size) + barEmpty.repeat(room - start - size);
    const used = displayWidth(bar) + displayWidth(percent);
    const note =
      label === "" || used + 1 >= width ? "" : ` ${fitLine(cleanLine(label), width - used - 1)}`;
    const spans = [
      { text: bar, paint: theme.style("accent") },
      { text: percent },
      { text: note, paint: theme.style("muted") },
    ];
    return { rows: [fitSpans(spans, width)], stableRows: this.#stableRows };
  }

  get #stableRows(): number {
    return this.state === "final" ? 1 : 0;
  }
}

/** There and back again. */
function wander(frame: number, distance: number): number {
  if (distance <= 0) return 0;
  const at = frame % (2 * distance);
  return at <= distance ? at : 2 * distance - at;
}
