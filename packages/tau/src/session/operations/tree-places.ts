// Where each entry of a log stands in its tree, told entry by entry in the order of the file, and
// what the entries are labelled. Both ways of looking at a tree begin here.

import type { SessionEntry } from "../entry.ts";
import { kindOf, movesLeaf } from "../entry-kinds.ts";

export const ABOVE_ROOTS = -1;

export class TreePlaces {
  readonly ordinals = new Map<string, number>();
  readonly labels = new Map<string, string>();
  /** Entries beyond the most that are looked at. */
  omitted = 0;
  readonly #most: number;
  readonly #records = new Map<string, string | null>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The ordinal of its parent; undefined where the entry has no place of its own. */
  place(entry: SessionEntry): number | undefined {
    if (entry.type === "label") {
      if (entry.label === undefined) this.labels.delete(entry.targetId);
      else this.labels.set(entry.targetId, entry.label);
    }
    const { ordinals } = this;
    if (!movesLeaf(entry) || ordinals.has(entry.id)) return undefined;
    if (ordinals.size >= this.#most) {
      this.omitted += 1;
      return undefined;
    }
    const parent = this.ordinalOf(entry.parentId);
    ordinals.set(entry.id, ordinals.size);
    if (kindOf(entry).place === "record") {
      this.#records.set(entry.id, entry.parentId && this.standing(entry.parentId));
    }
    return parent;
  }

  /** Where one stands for people: not on a record of what happened, but on what it happened to. */
  standing(id: string | null): string | null {
    const above = id === null ? undefined : this.#records.get(id);
    return above === undefined ? id : above;
  }

  ordinalOf(id: string | null): number {
    return id === null ? ABOVE_ROOTS : (this.ordinals.get(id) ?? ABOVE_ROOTS);
  }
}
