// What a model thought before it spoke: muted, as it comes, or a single line that says how long
// it took where the user does not want to read it.

import type { Component, Rendered } from "@tau/tui/component";
import type { AnimationClock } from "@tau/tui/components/animation-clock";
import { fitSpans } from "@tau/tui/components/spans";
import { TextBlock } from "@tau/tui/components/text-block";
import { layered, type Theme } from "@tau/tui/theme/theme";
import { seconds } from "../../../tools/render/seconds.ts";

export interface ThinkingBlockOptions {
  theme: Theme;
  clock: AnimationClock;
  /** Asked whenever it is drawn until it is over: the user may change it. */
  isHidden(): boolean;
  now?: () => number;
}

export class ThinkingBlock implements Component {
  readonly #options: ThinkingBlockOptions;
  readonly #text: TextBlock;
  readonly #since: number;
  #took: number | "unknown" | undefined;
  #isHidden: boolean;
  /** Blanks that are shown only if words follow: models begin and end thoughts with new lines. */
  #held = "";
  #hasWords = false;

  constructor(options: ThinkingBlockOptions) {
    this.#options = options;
    const { theme } = options;
    const paint = layered(theme.attribute("italic"), (text) => theme.style("thinkingText")(text));
    this.#text = new TextBlock({ paint, state: "live" });
    this.#isHidden = options.isHidden();
    this.#since = this.#now();
  }

  get state(): "live" | "final" {
    return this.#took === undefined ? "live" : "final";
  }

  append(delta: string): void {
    const text = this.#held + delta;
    const words = text.trimEnd();
    this.#held = text.slice(words.length);
    if (words === "") return;
    this.#text.append(this.#hasWords ? words : words.replace(/^\s*\n/, ""));
    this.#hasWords = true;
  }

  finish(tookMs: number | "unknown" = this.#now() - this.#since): void {
    if (this.#took !== undefined) return;
    this.#isHidden = this.#options.isHidden();
    this.#took = tookMs;
    this.#text.finish();
  }

  render(columns: number): Rendered {
    const { theme, clock } = this.#options;
    // Rows that are in history were shown; hiding begins with the next block then.
    if (this.#took === undefined) this.#isHidden = this.#options.isHidden();
    if (!this.#isHidden) return this.#text.render(columns);
    const paint = theme.style("thinkingText");
    if (this.#took === undefined) {
      clock.keepGoing();
      const text = `Thinking${theme.symbols.ellipsis} ${seconds(this.#now() - this.#since)}`;
      return { rows: [fitSpans([{ text, paint }], Math.max(1, columns))], stableRows: 0 };
    }
    const text = this.#took === "unknown" ? "Thought" : `Thought for ${seconds(this.#took)}`;
    return { rows: [fitSpans([{ text, paint }], Math.max(1, columns))], stableRows: 1 };
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}
