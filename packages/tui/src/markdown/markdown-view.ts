// Markdown that is still arriving. Finished blocks are laid out once and are stable; only
// the open block is looked at again. Written by hand rather than on the runtime's parser:
// that one takes whole texts, is marked unstable, and cannot say which of its output is
// final while text is still coming.

import type { Component, Rendered } from "../component.ts";
import { cleanLine } from "../components/clean-text.ts";
import { plain, type Paint } from "../theme/theme.ts";
import { BlockLayout, type MarkdownLook } from "./block-layout.ts";
import { BlockScanner, type PlacedBlock } from "./block-scanner.ts";

export interface MarkdownOptions extends MarkdownLook {
  /** How ordinary text looks. */
  base?: Paint;
}

/** A line longer than this is cut into several: laying it out again must stay cheap. */
const MAX_LINE_CHARS = 16 * 1024;
/** The beginning of a mark: shown as text it would only flash up and turn into something else. */
const MARK_ALONE = /^ *[#>*+=|`~-]{1,3}$/;

export class MarkdownView implements Component {
  readonly #options: MarkdownOptions;
  readonly #scanner = new BlockScanner();
  #layout: BlockLayout;
  #blocks: PlacedBlock[] = [];
  #partial = "";
  #state: "live" | "final" = "live";
  #columns = 0;
  #stable: string[] = [];
  #laidOut = 0;
  #rendered: Rendered | undefined;

  constructor(options: MarkdownOptions) {
    this.#options = options;
    this.#layout = this.#makeLayout();
  }

  get state(): "live" | "final" {
    return this.#state;
  }

  append(delta: string): void {
    if (this.#state === "final" || delta === "") return;
    this.#rendered = undefined;
    // Only the text from the last break on is looked at again.
    const text = this.#partial + delta;
    let start = 0;
    for (let end = text.indexOf("\n", start); end >= 0; end = text.indexOf("\n", start)) {
      this.#wholeLine(text.slice(start, end));
      start = end + 1;
    }
    this.#partial = text.slice(start);
    while (this.#partial.length > MAX_LINE_CHARS) {
      const cut = cutPlace(this.#partial);
      this.#takeLine(this.#partial.slice(0, cut));
      this.#partial = this.#partial.slice(cut);
    }
  }

  /** Nothing more will come. */
  finish(): void {
    if (this.#state === "final") return;
    if (this.#partial !== "") this.#wholeLine(this.#partial);
    this.#partial = "";
    this.#blocks.push(...this.#scanner.end());
    this.#state = "final";
    this.#rendered = undefined;
  }

  render(columns: number): Rendered {
    const width = Math.max(1, columns);
    if (width !== this.#columns) this.#startOver(width);
    if (this.#rendered) return this.#rendered;
    for (; this.#laidOut < this.#blocks.length; this.#laidOut++) {
      for (const row of this.#layout.rows(this.#blocks[this.#laidOut]!, width, "finished")) {
        this.#stable.push(row);
      }
    }
    const rows = [...this.#stable, ...this.#openRows(width)];
    this.#rendered = { rows, stableRows: this.#stable.length };
    return this.#rendered;
  }

  /** What the text so far looks like from the open block on. */
  #openRows(columns: number): string[] {
    if (this.#state === "final") return [];
    const fork = this.#scanner.fork();
    const partial = MARK_ALONE.test(this.#partial) ? "" : this.#partial;
    const blocks = partial === "" ? [] : fork.line(cleanLine(partial));
    blocks.push(...fork.end().filter(({ block }) => block.kind !== "fence-close"));
    return blocks.flatMap((block, index) => {
      const end = index === blocks.length - 1 ? "unfinished" : "finished";
      return this.#layout.rows(block, columns, end);
    });
  }

  /** A line may be over the limit, also where it came in one piece. */
  #wholeLine(line: string): void {
    let rest = line;
    while (rest.length > MAX_LINE_CHARS) {
      const cut = cutPlace(rest);
      this.#takeLine(rest.slice(0, cut));
      rest = rest.slice(cut);
    }
    this.#takeLine(rest);
  }

  #takeLine(line: string): void {
    this.#blocks.push(...this.#scanner.line(cleanLine(line)));
  }

  #startOver(columns: number): void {
    this.#columns = columns;
    this.#stable = [];
    this.#laidOut = 0;
    this.#rendered = undefined;
  }

  #makeLayout(): BlockLayout {
    return new BlockLayout(this.#options, this.#options.base ?? plain);
  }
}

/** Not between the halves of one character. */
function cutPlace(text: string): number {
  const code = text.charCodeAt(MAX_LINE_CHARS - 1);
  const isHighHalf = code >= 0xd800 && code <= 0xdbff;
  return isHighHalf ? MAX_LINE_CHARS - 1 : MAX_LINE_CHARS;
}
