// Walking the tree of a session from a position to its root. It knows nothing of files:
// where entries come from is the caller's, so that a session in memory and one on disk
// walk the same way. An older Tau may have put entries below one that stands aside, because it
// did not know the kind: they hang on what that one hangs on, here as in every other view.

import type { CompactionEntry, SessionEntry } from "../entry.ts";
import { movesLeaf } from "../entry-kinds.ts";

export interface EntryLookup {
  load(id: string): Promise<SessionEntry | undefined>;
  /** Where an entry hangs whose recorded parent is not there; null for a root. */
  substituteParent(entry: SessionEntry): Promise<string | null>;
}

export interface BranchExtent {
  /** Stop at the first entry that the latest compaction kept. */
  sinceCompaction: boolean;
}

/** From the root, or from what the leaf needs, down to `leafId`. */
export async function collectBranch(
  lookup: EntryLookup,
  leafId: string | null,
  { sinceCompaction }: BranchExtent,
): Promise<SessionEntry[]> {
  const path: SessionEntry[] = [];
  const seen = new Set<string>();
  let firstKept: string | undefined;
  let isComplete = false;
  for (let id = leafId; id !== null;) {
    let entry = await lookup.load(id);
    if (!entry || seen.has(id)) {
      if (isComplete) break;
      const child = path.at(-1);
      // A damaged file may point anywhere, also in circles: what is known is the answer.
      const other = child && !seen.has(id) ? await lookup.substituteParent(child) : null;
      if (other === null || seen.has(other)) break;
      entry = await lookup.load(other);
      if (!entry) break;
    }
    seen.add(entry.id);
    id = entry.parentId;
    if (!movesLeaf(entry)) {
      hangOver(path, entry);
      isComplete ||= entry.id === firstKept;
      continue;
    }
    if (isComplete) break;
    path.push(entry);
    if (sinceCompaction && firstKept === undefined && entry.type === "compaction") {
      firstKept = entry.firstKeptEntryId;
    }
    // What is above is looked at once more: the first one may have been put below an aside one.
    isComplete = entry.id === firstKept;
  }
  return path.toReversed();
}

/** The last entry of a path was put below one that stands aside. */
function hangOver(path: SessionEntry[], { id, parentId }: SessionEntry): void {
  const child = path.at(-1);
  if (!child) return;
  path[path.length - 1] = { ...child, parentId };
  for (const [at, entry] of path.entries()) {
    const isCut = entry.type === "compaction" && entry.firstKeptEntryId === id;
    if (isCut) path[at] = keptFrom(entry, child.id);
  }
}

/** A compaction that kept what follows an entry that stands aside. */
export function keptFrom(compaction: SessionEntry, firstKeptEntryId: string): SessionEntry {
  return { ...(compaction as CompactionEntry), firstKeptEntryId };
}
