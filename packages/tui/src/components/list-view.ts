// A list to choose from: typing filters it, the arrows and pages move in it. How well an
// item matches is the caller's to say.

import type { FocusableComponent, Rendered, RequestRender } from "../component.ts";
import type { KeyInput } from "../key-input.ts";
import type { KeyBindings } from "../keys/key-bindings.ts";
import type { Theme } from "../theme/theme.ts";
import { displayWidth, fitLine } from "../width.ts";
import { cleanLine } from "./clean-text.ts";
import { ScrollWindow } from "./scroll-window.ts";
import { SelectionKeys, typedText, type SelectionAction } from "./selection-actions.ts";
import { fitSpans } from "./spans.ts";

export interface ListItem<T> {
  value: T;
  label: string;
  detail?: string;
}

/** Best first; what does not match is left out. */
export type RankItems = <T>(query: string, items: readonly ListItem<T>[]) => readonly ListItem<T>[];

export interface ListViewOptions<T> {
  items: readonly ListItem<T>[];
  theme: Theme;
  requestRender: RequestRender;
  onChoose(item: ListItem<T>): void;
  onCancel?(): void;
  onMove?(item: ListItem<T> | undefined): void;
  rank?: RankItems;
  /** `off`: letters are left to others. */
  filter?: "on" | "off";
  /** `stop`: the first and the last are ends; otherwise each leads to the other. */
  ends?: "stop" | "wrap";
  /** Asked anew for every frame where it depends on the screen. */
  maxRows?: number | (() => number);
  /** False while somebody keeps the keys from it: nothing looks chosen then. */
  takesKeys?(): boolean;
  bindings?: KeyBindings;
}

const DEFAULT_MAX_ROWS = 10;

/** Every letter of the query in its order; the rank of whoever has no better one. */
const rankBySubsequence: RankItems = (query, items) => {
  const letters = [...query.toLowerCase()].filter((letter) => letter.trim() !== "");
  return items.filter(({ label }) => {
    const text = label.toLowerCase();
    let at = 0;
    return letters.every((letter) => {
      const found = text.indexOf(letter, at);
      at = found + letter.length;
      return found >= 0;
    });
  });
};

export class ListView<T> implements FocusableComponent {
  readonly state = "live";
  readonly #options: ListViewOptions<T>;
  readonly #keys: SelectionKeys;
  readonly #window = new ScrollWindow();
  #items: readonly ListItem<T>[];
  #shown: readonly ListItem<T>[];
  #query = "";

  constructor(options: ListViewOptions<T>) {
    this.#options = options;
    this.#keys = new SelectionKeys(options.bindings);
    this.#items = options.items;
    this.#shown = options.items;
  }

  get query(): string {
    return this.#query;
  }

  get selected(): ListItem<T> | undefined {
    return this.#shown[this.#window.selected];
  }

  setItems(items: readonly ListItem<T>[]): void {
    this.#items = items;
    this.#filter();
  }

  select(index: number): void {
    this.#window.select(index, this.#shown.length);
    this.#options.requestRender();
  }

  render(columns: number): Rendered {
    const { theme } = this.#options;
    const width = Math.max(1, columns);
    const rows: string[] = [];
    if (this.#query !== "")
      rows.push(theme.style("accent")(fitLine(`filter: ${cleanLine(this.#query)}`, width)));
    const { from, to } = this.#window.view(this.#shown.length, this.#maxRows);
    const labels = this.#labelColumns(from, to, width);
    for (let index = from; index < to; index++) rows.push(this.#itemRow(index, labels, width));
    if (this.#shown.length === 0)
      rows.push(theme.style("muted")(fitLine("nothing matches", width)));
    if (this.#shown.length > to - from) {
      const note = `${this.#window.selected + 1} of ${this.#shown.length}`;
      rows.push(theme.style("muted")(fitLine(note, width)));
    }
    return { rows, stableRows: 0 };
  }

  handleKey(input: KeyInput): boolean {
    const filters = this.#options.filter !== "off";
    if (input.type === "paste") {
      if (filters) this.#setQuery(this.#query + cleanLine(input.text.replace(/\s+/g, " ")));
      return filters;
    }
    const action = this.#keys.actionOf(input);
    if (action !== undefined && this.#act(action)) return true;
    const text = typedText(input);
    if (!filters || text === "" || action !== undefined) return false;
    this.#setQuery(this.#query + text);
    return true;
  }

  get #maxRows(): number {
    const { maxRows = DEFAULT_MAX_ROWS } = this.#options;
    return Math.max(1, typeof maxRows === "number" ? maxRows : maxRows());
  }

  #act(action: SelectionAction): boolean {
    const at = this.#window.selected;
    const last = this.#shown.length - 1;
    switch (action) {
      case "up":
        return this.#move(at === 0 ? (this.#options.ends === "stop" ? 0 : last) : at - 1);
      case "down":
        return this.#move(at === last ? (this.#options.ends === "stop" ? last : 0) : at + 1);
      case "pageUp":
        return this.#move(at - this.#maxRows);
      case "pageDown":
        return this.#move(at + this.#maxRows);
      case "first":
        return this.#move(0);
      case "last":
        return this.#move(last);
      case "accept":
        if (this.selected) this.#options.onChoose(this.selected);
        return true;
      case "cancel":
        if (!this.#options.onCancel) return false;
        this.#options.onCancel();
        return true;
      case "erase":
        if (this.#query === "") return false;
        this.#setQuery([...this.#query].slice(0, -1).join(""));
        return true;
      default:
        return false;
    }
  }

  #move(index: number): boolean {
    this.#window.select(index, this.#shown.length);
    this.#options.onMove?.(this.selected);
    this.#options.requestRender();
    return true;
  }

  #setQuery(query: string): void {
    this.#query = query;
    this.#filter();
    this.#move(0);
  }

  #filter(): void {
    const rank = this.#options.rank ?? rankBySubsequence;
    this.#shown = this.#query === "" ? this.#items : rank(this.#query, this.#items);
    this.#options.requestRender();
  }

  /** What stands beside the labels stands in one column, unless they are too unlike for that. */
  #labelColumns(from: number, to: number, columns: number): number {
    const most = this.#shown
      .slice(from, to)
      .reduce((widest, { label }) => Math.max(widest, displayWidth(cleanLine(label))), 0);
    return Math.min(most, Math.floor(columns / 2));
  }

  #itemRow(index: number, labelColumns: number, columns: number): string {
    const { theme } = this.#options;
    const { label, detail } = this.#shown[index]!;
    const isAsleep = this.#options.takesKeys?.() === false;
    const isSelected = !isAsleep && index === this.#window.selected;
    const { pointer } = theme.symbols;
    const mark = isSelected ? pointer : " ".repeat(displayWidth(pointer));
    const paint = theme.style(isAsleep ? "dim" : isSelected ? "accent" : "text");
    const text = cleanLine(label);
    const gap = " ".repeat(Math.max(0, labelColumns - displayWidth(text)) + 2);
    const note = detail === undefined ? "" : `${gap}${cleanLine(detail)}`;
    return fitSpans(
      [
        { text: `${mark} ${text}`, paint },
        { text: note, paint: theme.style(isAsleep ? "dim" : "muted") },
      ],
      columns,
    );
  }
}
