// A session's tree as rows to show. Only where it branches does it go to the right, so that a
// long conversation stays a list; the branch that the session stands on comes first. What is
// hidden does not cut off what is below it. Nothing here recurses: a conversation of a hundred
// thousand entries is one branch that deep.

import type { SessionEntry } from "../entry.ts";
import { ABOVE_ROOTS, TreePlaces } from "./tree-places.ts";
import type { EntryDescription } from "../kinds/entry-kind.ts";
import { describeEntry } from "./describe-entry.ts";
import { isShown, searchFor, wordsIn, type TreeFilter } from "./tree-filter.ts";

export interface TreeRow extends EntryDescription {
  id: string;
  /** The nearest entry above it that is shown. */
  parentId: string | null;
  type: SessionEntry["type"];
  timestamp: string;
  label?: string;
  /** On the way from the root to where the session stands. */
  isOnPath: boolean;
  isLeaf: boolean;
  /** One of several that hang from the same entry. */
  beginsBranch: boolean;
  /** Lines that show how it hangs. */
  gutter: string;
}

export interface TreeProjection {
  rows: TreeRow[];
  /** Entries beyond the limit, which are not looked at. */
  omitted: number;
}

export interface ProjectionOptions {
  leafId: string | null;
  filter?: TreeFilter;
  /** All of its words must be in an entry. */
  search?: string;
  maxEntries?: number;
}

/** A hundred times the longest conversations; it bounds the memory, not the use. */
export const MAX_TREE_ENTRIES = 500_000;

/** An entry as far as its place in the tree goes. */
export interface TreeNode {
  entry: Pick<SessionEntry, "id" | "type" | "timestamp">;
  description: EntryDescription;
  /** Among all nodes; -1 above the roots. */
  parent: number;
  isShown: boolean;
  isOnPath: boolean;
}

interface FoundNode extends TreeNode {
  words: number;
}

/** In the order of the file, as a log gives them. */
export async function projectTree(
  entries: AsyncIterable<SessionEntry>,
  options: ProjectionOptions,
): Promise<TreeProjection> {
  const { leafId, filter = "default", maxEntries = MAX_TREE_ENTRIES } = options;
  const search = searchFor(options.search ?? "");
  const nodes: FoundNode[] = [];
  const places = new TreePlaces(maxEntries);
  for await (const entry of entries) {
    const parent = places.place(entry);
    if (parent === undefined) continue;
    const { id, type, timestamp } = entry;
    nodes.push({
      entry: { id, type, timestamp },
      description: describeEntry(entry),
      parent,
      isShown: isShown(entry, filter),
      words: wordsIn(entry, search),
      isOnPath: false,
    });
  }
  const { labels, omitted } = places;
  for (let at = places.ordinalOf(leafId); at !== ABOVE_ROOTS; at = nodes[at]!.parent)
    nodes[at]!.isOnPath = true;
  const standing = places.standing(leafId);
  // Where one stands is always shown, but for lists of something else.
  const leaf = nodes[places.ordinalOf(standing)];
  if (leaf && filter !== "user-only") leaf.isShown = true;
  for (const node of nodes) {
    const label = labels.get(node.entry.id);
    if (filter === "labeled-only" && label === undefined) node.isShown = false;
    const words = label === undefined ? node.words : node.words | search.found(label);
    if (words !== search.wanted) node.isShown = false;
  }
  return { rows: layOutTree(nodes, labels, standing), omitted };
}

interface Waiting {
  at: number;
  parentId: string | null;
  /** Before this row, and before those that follow it on the same branch. */
  first: string;
  rest: string;
  beginsBranch: boolean;
}

/** What is shown of the nodes, in the order of the screen. */
export function layOutTree(
  nodes: readonly TreeNode[],
  labels: ReadonlyMap<string, string>,
  leafId: string | null,
): TreeRow[] {
  const children = shownChildren(nodes);
  const rows: TreeRow[] = [];
  const waiting = below(ABOVE_ROOTS, null, "");
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { entry, description, isOnPath } = nodes[next.at]!;
    const { id, type, timestamp } = entry;
    const { parentId, first: gutter, beginsBranch } = next;
    const label = labels.get(id);
    const isLeaf = id === leafId;
    rows.push({
      id,
      parentId,
      type,
      timestamp,
      ...description,
      label,
      isOnPath,
      isLeaf,
      beginsBranch,
      gutter,
    });
    waiting.push(...below(next.at, id, next.rest));
  }
  return rows;

  /** To be taken from the end: what comes first is last. */
  function below(at: number, parentId: string | null, rest: string): Waiting[] {
    const found = children.get(at) ?? [];
    if (found.length <= 1)
      return found.map((at) => ({ at, parentId, first: rest, rest, beginsBranch: false }));
    const active = found.filter((child) => nodes[child]!.isOnPath);
    const ordered = [...active, ...found.filter((child) => !nodes[child]!.isOnPath)];
    const last = ordered.length - 1;
    return ordered
      .map((child, index) => ({
        at: child,
        parentId,
        first: grown(rest, index === last ? "└─ " : "├─ "),
        rest: grown(rest, index === last ? "   " : "│  "),
        beginsBranch: true,
      }))
      .toReversed();
  }
}

/** A hidden entry's children hang from the nearest one above it that is shown. */
function shownChildren(nodes: readonly TreeNode[]): Map<number, number[]> {
  const children = new Map<number, number[]>();
  /** Of each node: itself where it is shown, else what it hangs from. */
  const anchors: number[] = [];
  for (const [at, node] of nodes.entries()) {
    const above = node.parent === ABOVE_ROOTS ? ABOVE_ROOTS : anchors[node.parent]!;
    anchors.push(node.isShown ? at : above);
    if (!node.isShown) continue;
    const siblings = children.get(above);
    if (siblings) siblings.push(at);
    else children.set(above, [at]);
  }
  return children;
}

const PIECE_COLUMNS = 3;
/** Deeper branches than this leave no room for words; the outermost lines are left out. */
const MAX_PIECES = 9;
const CUT = "…  ";

function grown(gutter: string, piece: string): string {
  const next = gutter + piece;
  if (next.length <= MAX_PIECES * PIECE_COLUMNS) return next;
  return CUT + next.slice(-(MAX_PIECES - 1) * PIECE_COLUMNS);
}
