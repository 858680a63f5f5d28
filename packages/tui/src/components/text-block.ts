// Text that wraps. Whole lines that will not change any more are stable while more text
// is appended below them.

import type { Component, Rendered } from "../component.ts";
import { plain, type Paint } from "../theme/theme.ts";
import { cleanLine, cleanLines } from "./clean-text.ts";
import { wrapSpans } from "./spans.ts";

export interface TextBlockOptions {
  text?: string;
  paint?: Paint;
  /** Columns of blanks before each row. */
  indent?: number;
  /** `live`: more may be appended. */
  state?: "live" | "final";
}

export class TextBlock implements Component {
  readonly #paint: Paint;
  readonly #indent: number;
  #state: "live" | "final";
  #whole: string[] = [];
  #open = "";
  #columns = 0;
  #stable: string[] = [];
  #laidOut = 0;

  constructor({ text = "", paint = plain, indent = 0, state = "final" }: TextBlockOptions) {
    this.#paint = paint;
    this.#indent = indent;
    this.#state = "live";
    this.append(text);
    this.#state = state;
  }

  get state(): "live" | "final" {
    return this.#state;
  }

  append(delta: string): void {
    if (this.#state === "final" || delta === "") return;
    const lines = (this.#open + delta).split("\n");
    this.#open = lines.pop()!;
    for (const line of lines) this.#whole.push(line);
  }

  finish(): void {
    this.#state = "final";
  }

  render(columns: number): Rendered {
    const width = Math.max(1, columns);
    if (width !== this.#columns) {
      this.#columns = width;
      this.#stable = [];
      this.#laidOut = 0;
    }
    for (; this.#laidOut < this.#whole.length; this.#laidOut++) {
      for (const row of this.#rowsOf(this.#whole[this.#laidOut]!, width)) this.#stable.push(row);
    }
    const rows =
      this.#open === "" ? [...this.#stable] : [...this.#stable, ...this.#rowsOf(this.#open, width)];
    return { rows, stableRows: this.#state === "final" ? rows.length : this.#stable.length };
  }

  #rowsOf(line: string, columns: number): string[] {
    const indent = this.#indent < columns ? this.#indent : 0;
    const rows = wrapSpans([{ text: cleanLine(line), paint: this.#paint }], columns - indent);
    return indent === 0 ? rows : rows.map((row) => " ".repeat(indent) + row);
  }
}

/** Rows of a text that is whole. */
export const paintedRows = (text: string, columns: number, paint: Paint = plain): string[] =>
  cleanLines(text).flatMap((line) => wrapSpans([{ text: line, paint }], Math.max(1, columns)));
