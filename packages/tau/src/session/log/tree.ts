// Walking the tree of a session from a position to its root. It knows nothing of files:
// where entries come from is the caller's, so that a session in memory and one on disk
// walk the same way.

import type { SessionEntry } from "../entry.ts";

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
  for (let id = leafId; id !== null;) {
    let entry = await lookup.load(id);
    if (!entry || seen.has(id)) {
      const child = path.at(-1);
      // A damaged file may point anywhere, also in circles: what is known is the answer.
      const other = child && !seen.has(id) ? await lookup.substituteParent(child) : null;
      if (other === null || seen.has(other)) break;
      entry = await lookup.load(other);
      if (!entry) break;
    }
    path.push(entry);
    seen.add(entry.id);
    if (sinceCompaction && firstKept === undefined && entry.type === "compaction") {
      firstKept = entry.firstKeptEntryId;
    }
    if (entry.id === firstKept) break;
    id = entry.parentId;
  }
  return path.toReversed();
}
