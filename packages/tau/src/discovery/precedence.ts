// The one order of everything that is found: a project's before the user's, nearer before farther,
// then by the priority of the source. Of the same thing the first one counts; the others stay
// visible.

import type { DiscoveredItem } from "./item.ts";
import { KINDS } from "./kinds.ts";
import { SOURCES } from "../config/sources.ts";

/** Where a row stands in the table decides between two of one source in one directory. */
export interface Ranked {
  item: DiscoveredItem;
  row: number;
}

export function inOrder(found: readonly Ranked[]): DiscoveredItem[] {
  return withShadows([...found].sort(compare).map(({ item }) => item));
}

/** Of items in order: which of them count, and which are shadowed by which. */
export function withShadows(sorted: readonly DiscoveredItem[]): DiscoveredItem[] {
  const first = new Map<string, DiscoveredItem>();
  return sorted.map((found) => {
    const { shadowedBy: _, ...rest } = found;
    const item: DiscoveredItem = { ...rest, isShadowed: false };
    // What cannot take effect puts nothing else out of force.
    if (item.heldBack !== undefined || item.isInert) return item;
    const keys = [keyOf(item), fileKey(item)].filter((key) => key !== undefined);
    const winner = keys.map((key) => first.get(key)).find((one) => one !== undefined);
    if (winner) return { ...item, isShadowed: true, shadowedBy: winner };
    for (const key of keys) first.set(key, item);
    return item;
  });
}

function compare(a: Ranked, b: Ranked): number {
  return (
    levelRank(a.item) - levelRank(b.item) ||
    a.item.depth - b.item.depth ||
    SOURCES[b.item.source].priority - SOURCES[a.item.source].priority ||
    a.row - b.row
  );
}

function levelRank({ level }: DiscoveredItem): number {
  return level === "project" ? 0 : 1;
}

/** One file is one thing, however many links and rows lead to it. */
function fileKey({ kind, realPath, member }: DiscoveredItem): string | undefined {
  if (realPath === undefined) return undefined;
  return `file\n${kind}\n${realPath}\n${member?.path.join("\n") ?? ""}`;
}

function keyOf(item: DiscoveredItem): string | undefined {
  if (item.addsUp) return undefined;
  switch (KINDS[item.kind].same) {
    case "never":
      return undefined;
    case "name":
      return `${item.kind}\n${item.name}`;
    case "directory":
      return `${item.kind}\n${item.level}\n${item.depth}\n${item.variant ?? ""}`;
  }
}
