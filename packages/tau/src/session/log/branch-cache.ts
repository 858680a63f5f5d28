// The entries that the current branch needs, in memory: from the latest compaction's first
// kept entry to the leaf. What falls out of the branch falls out of memory.

import type { SessionEntry } from "../entry.ts";

export class BranchCache {
  readonly #entries = new Map<string, SessionEntry>();

  get(id: string): SessionEntry | undefined {
    return this.#entries.get(id);
  }

  add(entry: SessionEntry): void {
    this.#entries.set(entry.id, entry);
  }

  fill(path: readonly SessionEntry[]): void {
    for (const entry of path) this.add(entry);
  }

  /** From the first that is here to the leaf, in that order. */
  branchTo(leafId: string | null): SessionEntry[] {
    const branch: SessionEntry[] = [];
    const seen = new Set<string>();
    for (let id = leafId; id !== null && !seen.has(id);) {
      const entry = this.#entries.get(id);
      if (!entry) break;
      seen.add(id);
      branch.push(entry);
      id = entry.parentId;
    }
    return branch.toReversed();
  }

  /** Keeps what `leafId` needs, as far as it is here. */
  prune(leafId: string | null): void {
    const kept = new Set<string>();
    let firstKept: string | undefined;
    for (let id = leafId; id !== null && !kept.has(id);) {
      const entry = this.#entries.get(id);
      if (!entry) break;
      kept.add(id);
      if (firstKept === undefined && entry.type === "compaction")
        firstKept = entry.firstKeptEntryId;
      if (id === firstKept) break;
      id = entry.parentId;
    }
    for (const id of this.#entries.keys()) if (!kept.has(id)) this.#entries.delete(id);
  }
}
