// A session's tree at hand, for whoever looks at it in several ways: it is read once, and then
// filtered and searched at the speed of typing. Of each entry only what a list shows and what
// can be searched for is kept, so that a session of any size has a bounded tree.

import type { SessionEntry } from "../entry.ts";
import { ABOVE_ROOTS, TreePlaces } from "./tree-places.ts";
import { describeEntry, searchTextOf } from "./describe-entry.ts";
import { layOutTree, MAX_TREE_ENTRIES, type TreeNode, type TreeRow } from "./project-tree.ts";
import { isShown, TREE_FILTERS, type TreeFilter } from "./tree-filter.ts";

/** Of each entry's text; a search for more is one for the command line. */
const MAX_SEARCH_CHARACTERS = 2000;
/** How long reading may keep others from their turn. */
const TURN_MS = 6;

interface KeptNode extends TreeNode {
  /** Lower case. */
  searchText: string;
  /** One bit for each filter. */
  shownBy: number;
}

export interface ReadTreeOptions {
  leafId: string | null;
  signal?: AbortSignal;
  /** Now and then: how many entries were read. */
  onProgress?(entries: number): void;
  maxEntries?: number;
}

/** What is looked at. */
export interface TreeLook {
  filter: TreeFilter;
  /** All of its words must be in an entry. */
  search: string;
}

export class SessionTree {
  readonly leafId: string | null;
  readonly omitted: number;
  readonly #nodes: readonly KeptNode[];
  readonly #ordinals: ReadonlyMap<string, number>;
  readonly #labels: Map<string, string>;
  /** Of the search before: who adds a letter looks only there. */
  #found: { search: string; at: readonly number[] } | undefined;

  constructor(parts: {
    leafId: string | null;
    /** Where one stands for people. */
    standing: string | null;
    omitted: number;
    nodes: readonly KeptNode[];
    ordinals: ReadonlyMap<string, number>;
    labels: Map<string, string>;
  }) {
    this.leafId = parts.standing;
    this.omitted = parts.omitted;
    this.#nodes = parts.nodes;
    this.#ordinals = parts.ordinals;
    this.#labels = parts.labels;
    for (const at of this.#way(parts.leafId)) this.#nodes[at]!.isOnPath = true;
  }

  get size(): number {
    return this.#nodes.length;
  }

  /** As it will be read from the log from now on. */
  setLabel(id: string, label: string | undefined): void {
    if (label === undefined) this.#labels.delete(id);
    else this.#labels.set(id, label);
    this.#found = undefined;
  }

  rows({ filter, search }: TreeLook): TreeRow[] {
    const bit = filterBit(filter);
    const labels = this.#labels;
    for (const node of this.#nodes) {
      const isKept = (node.shownBy & bit) !== 0;
      node.isShown = filter === "labeled-only" ? labels.has(node.entry.id) : isKept;
    }
    const leaf = this.#ordinals.get(this.leafId ?? "");
    // Where one stands is always shown, but for lists of something else.
    if (leaf !== undefined && filter !== "user-only" && filter !== "labeled-only") {
      this.#nodes[leaf]!.isShown = true;
    }
    if (search.trim() !== "") this.#keepFound(search);
    return layOutTree(this.#nodes, labels, this.leafId);
  }

  /** Whether going there leaves something behind that could be summarised. */
  leavesSomething(targetId: string): boolean {
    const leaf = this.#ordinals.get(this.leafId ?? "");
    if (leaf === undefined) return false;
    return !this.#way(targetId).includes(leaf);
  }

  #keepFound(search: string): void {
    const before = this.#found;
    const isNarrower = before !== undefined && search.startsWith(before.search);
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const among = isNarrower ? before.at : this.#nodes.keys();
    const matching: number[] = [];
    for (const at of among) {
      const { searchText, entry } = this.#nodes[at]!;
      const label = this.#labels.get(entry.id);
      const text = label === undefined ? searchText : `${label.toLowerCase()}\n${searchText}`;
      if (words.every((word) => text.includes(word))) matching.push(at);
    }
    this.#found = { search, at: matching };
    let next = 0;
    for (let at = 0; at < this.#nodes.length; at += 1) {
      if (matching[next] === at) next += 1;
      else this.#nodes[at]!.isShown = false;
    }
  }

  /** From an entry up to its root. */
  #way(id: string | null): number[] {
    const way: number[] = [];
    const start = id === null ? undefined : this.#ordinals.get(id);
    for (let at = start ?? ABOVE_ROOTS; at !== ABOVE_ROOTS; at = this.#nodes[at]!.parent)
      way.push(at);
    return way;
  }
}

/** Undefined where it was aborted. */
export async function readSessionTree(
  entries: AsyncIterable<SessionEntry>,
  options: ReadTreeOptions,
): Promise<SessionTree | undefined> {
  const { leafId, signal, onProgress, maxEntries = MAX_TREE_ENTRIES } = options;
  const nodes: KeptNode[] = [];
  const places = new TreePlaces(maxEntries);
  let until = performance.now() + TURN_MS;
  for await (const entry of entries) {
    if (performance.now() >= until) {
      onProgress?.(nodes.length);
      await new Promise<void>((resolve) => setImmediate(resolve));
      until = performance.now() + TURN_MS;
    }
    if (signal?.aborted) return undefined;
    const parent = places.place(entry);
    if (parent === undefined) continue;
    const { id, type, timestamp } = entry;
    nodes.push({
      entry: { id, type, timestamp },
      description: describeEntry(entry),
      parent,
      isShown: false,
      isOnPath: false,
      searchText: searchTextOf(entry).slice(0, MAX_SEARCH_CHARACTERS).toLowerCase(),
      shownBy: TREE_FILTERS.reduce(
        (bits, filter) => bits | (isShown(entry, filter) ? filterBit(filter) : 0),
        0,
      ),
    });
  }
  const { ordinals, labels, omitted } = places;
  const standing = places.standing(leafId);
  return new SessionTree({ leafId, standing, omitted, nodes, ordinals, labels });
}

function filterBit(filter: TreeFilter): number {
  return 2 ** TREE_FILTERS.indexOf(filter);
}
