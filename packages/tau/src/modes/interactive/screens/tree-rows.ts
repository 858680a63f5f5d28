// The rows of a session's tree that are seen: branches may be folded, and only what the window
// shows is drawn. Everything here costs at most one pass over the rows, and drawing none.

import { cleanLine } from "@tau/tui/components/clean-text";
import { fitSpans, type Span } from "@tau/tui/components/spans";
import { displayWidth } from "@tau/tui/width";
import type { TreeRow } from "../../../session/operations/project-tree.ts";
import type { Stage } from "../stage.ts";

export class TreeRows {
  readonly #stage: Stage;
  readonly #folded = new Set<string>();
  #rows: readonly TreeRow[] = [];
  /** Of each row: the one after its last descendant. */
  #ends: readonly number[] = [];
  #parents: readonly number[] = [];
  /** Indexes into the rows. */
  #seen: readonly number[] = [];
  #selected = 0;
  #top = 0;
  #page = 1;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  get selected(): TreeRow | undefined {
    return this.#rows[this.#seen[this.#selected] ?? -1];
  }

  get position(): string {
    return this.#seen.length === 0 ? "" : `${this.#selected + 1} of ${this.#seen.length}`;
  }

  get count(): number {
    return this.#seen.length;
  }

  /** The selection stays where it is; where that is hidden now, it goes to what is above it. */
  setRows(rows: readonly TreeRow[], selectedId = this.selected?.id): void {
    this.#rows = rows;
    const { ends, parents } = extents(rows);
    this.#ends = ends;
    this.#parents = parents;
    this.#look();
    if (selectedId !== undefined) this.#selectOrAbove(selectedId);
  }

  /** In the middle of the window, where it is not near an end. */
  centre(rows: number): void {
    this.#top = this.#selected - Math.floor(rows / 2);
  }

  select(id: string): boolean {
    const at = this.#rows.findIndex((row) => row.id === id);
    const seen = at < 0 ? -1 : this.#seen.indexOf(at);
    if (seen >= 0) this.#selected = seen;
    return seen >= 0;
  }

  selectLast(): void {
    this.#selected = Math.max(0, this.#seen.length - 1);
  }

  /** True where the action was one of moving or folding. */
  move(action: string | undefined): boolean {
    const last = this.#seen.length - 1;
    const at = this.#selected;
    switch (action) {
      case "selection.up":
        return this.#go(at === 0 ? last : at - 1);
      case "selection.down":
        return this.#go(at === last ? 0 : at + 1);
      case "selection.pageUp":
        return this.#go(at - this.#page);
      case "selection.pageDown":
        return this.#go(at + this.#page);
      case "selection.first":
        return this.#go(0);
      case "selection.last":
        return this.#go(last);
      case "selection.left":
        return this.#fold();
      case "selection.right":
        return this.#unfold();
      default:
        return false;
    }
  }

  render(rows: number, columns: number): string[] {
    this.#page = Math.max(1, rows - 1);
    const count = this.#seen.length;
    if (this.#selected < this.#top) this.#top = this.#selected;
    if (this.#selected >= this.#top + rows) this.#top = this.#selected - rows + 1;
    this.#top = Math.max(0, Math.min(this.#top, count - rows));
    const drawn: string[] = [];
    for (let at = this.#top; at < Math.min(count, this.#top + rows); at += 1) {
      drawn.push(this.#draw(at, columns));
    }
    return drawn;
  }

  #go(index: number): true {
    this.#selected = Math.max(0, Math.min(index, this.#seen.length - 1));
    return true;
  }

  /** The branch that the selected row is on, where it begins; else the row above. */
  #fold(): true {
    let at = this.#seen[this.#selected];
    while (at !== undefined && at >= 0) {
      const row = this.#rows[at]!;
      const canFold = row.beginsBranch && this.#ends[at]! > at + 1 && !this.#folded.has(row.id);
      if (canFold) {
        this.#folded.add(row.id);
        this.#look();
        this.select(row.id);
        return true;
      }
      at = this.#parents[at]!;
    }
    return true;
  }

  #unfold(): true {
    const row = this.selected;
    if (!row || !this.#folded.delete(row.id)) return true;
    this.#look();
    this.select(row.id);
    return true;
  }

  #look(): void {
    const seen: number[] = [];
    for (let at = 0; at < this.#rows.length;) {
      seen.push(at);
      at = this.#folded.has(this.#rows[at]!.id) ? this.#ends[at]! : at + 1;
    }
    this.#seen = seen;
    this.#selected = Math.max(0, Math.min(this.#selected, seen.length - 1));
  }

  #selectOrAbove(id: string): void {
    const at = this.#rows.findIndex((row) => row.id === id);
    if (at < 0) return;
    // Folding may hide it; whoever is the last one seen before it stands for it.
    const seen = this.#seen.findLastIndex((index) => index <= at);
    if (seen >= 0) this.#selected = seen;
  }

  #draw(at: number, columns: number): string {
    const { theme } = this.#stage;
    const { pointer, marked, bullet, folded, treeBranch, treeLast, treeLine } = theme.symbols;
    const index = this.#seen[at]!;
    const row = this.#rows[index]!;
    const isSelected = at === this.#selected;
    const isFolded = this.#folded.has(row.id);
    const hidden = isFolded ? this.#ends[index]! - index - 1 : 0;
    const gutter = row.gutter
      .replaceAll("├─", treeBranch)
      .replaceAll("└─", treeLast)
      .replaceAll("│ ", treeLine);
    const tone = theme.style(isSelected ? "accent" : row.isOnPath ? "text" : "muted");
    const mark = isFolded ? folded : row.isLeaf ? marked : row.isOnPath ? bullet : " ";
    const spans: Span[] = [
      { text: `${isSelected ? pointer : " ".repeat(displayWidth(pointer))} `, paint: tone },
      { text: gutter, paint: theme.style("dim") },
      { text: `${mark} `, paint: theme.style("success") },
      {
        text: row.label === undefined ? "" : `[${cleanLine(row.label)}] `,
        paint: theme.style("warning"),
      },
      { text: cleanLine(row.kind), paint: theme.style(row.kind === "user" ? "accent" : "muted") },
      { text: row.text === "" ? "" : `  ${cleanLine(row.text)}`, paint: tone },
      { text: hidden === 0 ? "" : `  (${hidden} folded)`, paint: theme.style("dim") },
    ];
    return fitSpans(spans, columns);
  }
}

/** In one pass from the end: whatever hangs below a row follows it. */
function extents(rows: readonly TreeRow[]): { ends: number[]; parents: number[] } {
  const ordinals = new Map<string, number>();
  const parents = rows.map((row, at) => {
    ordinals.set(row.id, at);
    return row.parentId === null ? -1 : (ordinals.get(row.parentId) ?? -1);
  });
  const ends = rows.map((_, at) => at + 1);
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const parent = parents[at]!;
    if (parent >= 0) ends[parent] = Math.max(ends[parent]!, ends[at]!);
  }
  return { ends, parents };
}
