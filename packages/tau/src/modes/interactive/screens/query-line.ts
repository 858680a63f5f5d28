// The words that filter a list, while they are typed. They stand in a row of their own that is
// always there, so that the list below does not move when the first letter comes.

import type { CaretPlace } from "@tau/tui/component";
import { cleanLine } from "@tau/tui/components/clean-text";
import { typedText } from "@tau/tui/components/selection-actions";
import { fitSpans } from "@tau/tui/components/spans";
import type { KeyInput } from "@tau/tui/key-input";
import { displayWidth, fitLineEnd } from "@tau/tui/width";
import type { Stage } from "../stage.ts";

/** A pasted page is no filter. */
const MAX_QUERY_CHARACTERS = 200;

const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export class QueryLine {
  readonly #stage: Stage;
  readonly #placeholder: string;
  #text = "";

  constructor(stage: Stage, placeholder: string) {
    this.#stage = stage;
    this.#placeholder = placeholder;
  }

  get text(): string {
    return this.#text;
  }

  clear(): void {
    this.#text = "";
  }

  /** True where the text is another one now. */
  handle(input: KeyInput, action: string | undefined): boolean {
    const before = this.#text;
    if (input.type === "paste") this.#add(input.text.replace(/\s+/g, " "));
    else if (action === "selection.erase") this.#text = withoutLast(before);
    else if (action === "screen.query.clear") this.#text = "";
    else if (action === "screen.query.eraseWord") this.#text = before.replace(/\S*\s*$/, "");
    else if (action === undefined) this.#add(typedText(input));
    return this.#text !== before;
  }

  render(columns: number): { row: string; caret: CaretPlace } {
    const { theme } = this.#stage;
    const sign = `${theme.symbols.pointer} `;
    const room = Math.max(1, columns - displayWidth(sign) - 1);
    const text = fitLineEnd(cleanLine(this.#text), room);
    const spans = [
      { text: sign, paint: theme.style("accent") },
      this.#text === ""
        ? { text: this.#placeholder, paint: theme.style("dim") }
        : { text, paint: theme.style("text") },
    ];
    const column = displayWidth(sign) + (this.#text === "" ? 0 : displayWidth(text));
    return { row: fitSpans(spans, columns), caret: { row: 0, column } };
  }

  #add(text: string): void {
    // A filter that begins with a blank filters nothing, and looks as if there were none.
    const joined = (this.#text + cleanLine(text)).trimStart();
    this.#text = [...joined].slice(0, MAX_QUERY_CHARACTERS).join("");
  }
}

function withoutLast(text: string): string {
  return [...segments.segment(text)]
    .slice(0, -1)
    .map(({ segment }) => segment)
    .join("");
}
