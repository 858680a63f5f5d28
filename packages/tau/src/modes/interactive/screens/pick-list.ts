// A list to pick from: rows with cells that stand below one another, in groups, narrowed by
// what is typed. Only the rows that are seen are drawn; widths are measured once for each set
// of rows, so that nothing moves sideways while somebody scrolls or filters.

import { cleanLine } from "@tau/tui/components/clean-text";
import { fitSpans, type Span } from "@tau/tui/components/spans";
import { layered, type Paint } from "@tau/tui/theme/theme";
import type { ForegroundToken } from "@tau/tui/theme/tokens";
import { displayWidth, fitLine } from "@tau/tui/width";
import type { Stage } from "../stage.ts";
import { rankTexts } from "./rank-texts.ts";
import { layOutColumns, type PickColumn } from "./pick-columns.ts";

export interface PickRow<T> {
  /** The selection stays with it when rows change. */
  id: string;
  value: T;
  /** Rows of one group stand together, under its name. */
  group?: string;
  cells: readonly string[];
  /** What typing is compared with; the first is its name. */
  texts: readonly string[];
  /** Stands behind all others that match. */
  isBehind?: true;
  /** What it is marked with; nothing where left out. */
  mark?: string;
  /** Of the mark; that of success where left out. */
  markTone?: ForegroundToken;
  tone?: ForegroundToken;
}

export interface PickListOptions {
  stage: Stage;
  columns: readonly PickColumn[];
  /** Said where there are no rows, and where none match. */
  empty: string;
}

type Line = { type: "blank" } | { type: "group"; title: string } | { type: "row"; index: number };

const NOTHING_MATCHES = "Nothing matches.";

export class PickList<T> {
  readonly #options: PickListOptions;
  #all: readonly PickRow<T>[] = [];
  /** Of each row, its texts in lower case. */
  #texts = new Map<PickRow<T>, readonly string[]>();
  #extra: { title: string; rows: readonly PickRow<T>[] } = { title: "", rows: [] };
  #shown: readonly PickRow<T>[] = [];
  #lines: readonly Line[] = [];
  #lineOf: readonly number[] = [];
  #natural: readonly number[] = [];
  #query = "";
  #group: string | undefined;
  #groups = 0;
  #selected = 0;
  #top = 0;
  #page = 1;
  #empty: string;

  constructor(options: PickListOptions) {
    this.#options = options;
    this.#empty = options.empty;
  }

  get selected(): PickRow<T> | undefined {
    return this.#shown[this.#selected];
  }

  /** `3 of 120`, or nothing where there is nothing. */
  get position(): string {
    return this.#shown.length === 0 ? "" : `${this.#selected + 1} of ${this.#shown.length}`;
  }

  /** Rows that it takes as a whole, unfiltered. */
  get height(): number {
    return this.#titleRows + this.#all.length + Math.max(0, 2 * this.#groups - 1);
  }

  setEmpty(text: string): void {
    this.#empty = text;
  }

  setRows(rows: readonly PickRow<T>[]): void {
    this.#all = rows;
    const groups = new Set(rows.map(({ group }) => group));
    groups.delete(undefined);
    this.#groups = groups.size;
    this.#texts = new Map(rows.map((row) => [row, row.texts.map((text) => text.toLowerCase())]));
    this.#measure();
    this.#arrange("keep");
  }

  /** What something else found for the same query; under its title, behind what the words found. */
  setExtra(title: string, rows: readonly PickRow<T>[]): void {
    this.#extra = { title, rows };
    this.#measure();
    this.#arrange("keep");
  }

  /** Unfiltered, only this group is shown, without its name; a filter looks everywhere. */
  showGroup(group: string): void {
    this.#group = group;
    this.#arrange("first");
  }

  setQuery(query: string): void {
    if (query === this.#query) return;
    this.#query = query;
    if (this.#extra.rows.length > 0) {
      this.#extra = { title: "", rows: [] };
      this.#measure();
    }
    this.#arrange(query.trim() === "" ? "keep" : "first");
  }

  select(id: string): void {
    const index = this.#shown.findIndex((row) => row.id === id);
    if (index >= 0) this.#selected = index;
  }

  /** True where the action was one of moving. */
  move(action: string | undefined): boolean {
    const last = this.#shown.length - 1;
    const at = this.#selected;
    const target = {
      "selection.up": at === 0 ? last : at - 1,
      "selection.down": at === last ? 0 : at + 1,
      "selection.pageUp": at - this.#page,
      "selection.pageDown": at + this.#page,
      "selection.first": 0,
      "selection.last": last,
    }[action ?? ""];
    if (target === undefined) return false;
    this.#selected = Math.max(0, Math.min(target, last));
    return true;
  }

  render(rows: number, columns: number): string[] {
    const { theme } = this.#options.stage;
    if (this.#shown.length === 0) {
      const words = this.#all.length > 0 ? NOTHING_MATCHES : this.#empty;
      return [theme.style("muted")(fitLine(`  ${words}`, columns))];
    }
    const widths = layOutColumns(this.#options.columns, this.#natural, columns - this.#leadColumns);
    const titles = rows > LEAST_ROWS_BELOW_TITLES ? this.#titles(widths, columns) : [];
    const room = Math.max(0, rows - titles.length);
    this.#page = Math.max(1, room - 1);
    this.#scroll(room);
    const drawn = this.#lines.slice(this.#top, this.#top + room).map((line) => {
      if (line.type === "blank") return "";
      if (line.type === "group") return this.#groupRow(line.title, columns);
      return this.#row(line.index, widths, columns);
    });
    return [...titles, ...drawn];
  }

  get #titleRows(): number {
    return this.#options.columns.some(({ title }) => title !== undefined) ? 1 : 0;
  }

  #titles(widths: readonly number[], columns: number): string[] {
    if (this.#titleRows === 0) return [];
    const { theme } = this.#options.stage;
    const cells = widths.flatMap((width, column) => {
      const { title = "", align } = this.#options.columns[column]!;
      return width === 0 ? [] : [inWidth(title, width, align)];
    });
    const text = " ".repeat(this.#leadColumns) + cells.join(GAP);
    return [theme.style("dim")(fitLine(text.trimEnd(), columns))];
  }

  get #leadColumns(): number {
    const { pointer, marked } = this.#options.stage.theme.symbols;
    return displayWidth(pointer) + 1 + displayWidth(marked) + 1;
  }

  #measure(): void {
    const rows = [...this.#all, ...this.#extra.rows];
    this.#natural = this.#options.columns.map(({ title = "" }, column) => {
      const widest = rows.reduce(
        (most, { cells }) => Math.max(most, displayWidth(cells[column] ?? "")),
        0,
      );
      return widest === 0 ? 0 : Math.max(widest, displayWidth(title));
    });
  }

  #arrange(selection: "keep" | "first"): void {
    const kept = selection === "keep" ? this.selected?.id : undefined;
    const isFiltered = this.#query.trim() !== "";
    const found = isFiltered
      ? this.#matching()
      : this.#all.filter(({ group }) => this.#group === undefined || group === this.#group);
    const known = new Set(found.map(({ id }) => id));
    const more = this.#extra.rows.filter(({ id }) => !known.has(id));
    this.#shown = [...found, ...more];
    const isFlat = isFiltered || this.#group !== undefined;
    this.#lines = isFlat ? this.#flatLines(found.length) : this.#groupedLines();
    const lineOf: number[] = [];
    for (const [at, line] of this.#lines.entries()) {
      if (line.type === "row") lineOf[line.index] = at;
    }
    this.#lineOf = lineOf;
    const index = kept === undefined ? -1 : this.#shown.findIndex(({ id }) => id === kept);
    const before = selection === "keep" ? this.#selected : 0;
    this.#selected = index >= 0 ? index : Math.max(0, Math.min(before, this.#shown.length - 1));
  }

  #matching(): PickRow<T>[] {
    const ranked = rankTexts(this.#query, this.#all, (row) => this.#texts.get(row) ?? []);
    return [...ranked.filter((row) => !row.isBehind), ...ranked.filter((row) => row.isBehind)];
  }

  /** The best match must not stand below a heading of lesser ones: filtered, it is one list. */
  #flatLines(extraFrom: number): Line[] {
    const lines: Line[] = [];
    for (const index of this.#shown.keys()) {
      if (index === extraFrom) {
        if (index > 0) lines.push({ type: "blank" });
        lines.push({ type: "group", title: this.#extra.title });
      }
      lines.push({ type: "row", index });
    }
    return lines;
  }

  #groupedLines(): Line[] {
    const lines: Line[] = [];
    let group: string | undefined;
    for (const [index, row] of this.#shown.entries()) {
      if (row.group !== undefined && row.group !== group) {
        if (lines.length > 0) lines.push({ type: "blank" });
        lines.push({ type: "group", title: row.group });
        group = row.group;
      }
      lines.push({ type: "row", index });
    }
    return lines;
  }

  /** The selected row is seen, with its heading where it is the first below it. */
  #scroll(rows: number): void {
    const line = this.#lineOf[this.#selected] ?? 0;
    const above = this.#lines[line - 1]?.type === "group" && rows > 1 ? line - 1 : line;
    if (above < this.#top) this.#top = above;
    if (line >= this.#top + rows) this.#top = line - rows + 1;
    this.#top = Math.max(0, Math.min(this.#top, this.#lines.length - rows));
    // A list must not begin with the space between two groups.
    if (this.#lines[this.#top]?.type === "blank" && line < this.#top + rows - 1) this.#top += 1;
  }

  #groupRow(title: string, columns: number): string {
    const { theme } = this.#options.stage;
    const paint = layered(theme.attribute("bold"), theme.style("muted"));
    return paint(fitLine(` ${cleanLine(title)}`, columns));
  }

  #row(index: number, widths: readonly number[], columns: number): string {
    const { theme } = this.#options.stage;
    const { pointer, marked } = theme.symbols;
    const row = this.#shown[index]!;
    const isSelected = index === this.#selected;
    const tone: Paint = theme.style(isSelected ? "accent" : (row.tone ?? "text"));
    const muted = isSelected ? tone : theme.style("muted");
    const sign = isSelected ? pointer : " ".repeat(displayWidth(pointer));
    const mark = row.mark ?? " ".repeat(displayWidth(marked));
    const spans: Span[] = [
      { text: `${sign} `, paint: tone },
      { text: `${mark} `, paint: theme.style(row.markTone ?? "success") },
    ];
    let isFirst = true;
    for (const [column, width] of widths.entries()) {
      if (width === 0) continue;
      const padded = inWidth(row.cells[column] ?? "", width, this.#options.columns[column]!.align);
      spans.push({ text: `${isFirst ? "" : GAP}${padded}`, paint: isFirst ? tone : muted });
      isFirst = false;
    }
    return fitSpans(trimmed(spans), columns);
  }
}

const GAP = "  ";
/** Fewer rows than these are all for what can be picked. */
const LEAST_ROWS_BELOW_TITLES = 5;

function inWidth(text: string, width: number, align: "left" | "right" = "left"): string {
  const fitted = fitLine(cleanLine(text), width);
  const blanks = " ".repeat(Math.max(0, width - displayWidth(fitted)));
  return align === "right" ? blanks + fitted : fitted + blanks;
}

/** Blanks at the end of a row only get into what somebody copies. */
function trimmed(spans: readonly Span[]): Span[] {
  const kept = [...spans];
  for (let last = kept.pop(); last; last = kept.pop()) {
    const text = last.text.trimEnd();
    if (text !== "") return [...kept, { ...last, text }];
  }
  return [];
}
