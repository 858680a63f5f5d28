// The simplest thing that behaves like a session's log: all entries in one array. Tests hold
// what the context code does against branches from here.

import type { NewEntry, SessionEntry } from "../../entry.ts";
import { movesLeaf } from "../../entry-kinds.ts";

export class TreeModel {
  readonly entries: SessionEntry[] = [];
  leafId: string | null = null;

  append(entry: NewEntry): SessionEntry {
    const index = this.entries.length;
    const made = {
      ...entry,
      id: `e${index}`,
      parentId: this.leafId,
      timestamp: new Date(index * 1000).toISOString(),
    } as SessionEntry;
    this.entries.push(made);
    if (made.type === "leaf") this.leafId = made.leafId;
    else if (movesLeaf(made)) this.leafId = made.id;
    return made;
  }

  branch(leafId: string | null = this.leafId): SessionEntry[] {
    const byId = new Map(this.entries.map((entry) => [entry.id, entry]));
    const path: SessionEntry[] = [];
    for (let id = leafId; id !== null;) {
      const entry = byId.get(id)!;
      path.unshift(entry);
      id = entry.parentId;
    }
    return path;
  }

  /** The same entries as a fresh process reads them. */
  reopened(): TreeModel {
    const again = new TreeModel();
    again.entries.push(...(JSON.parse(JSON.stringify(this.entries)) as SessionEntry[]));
    again.leafId = this.leafId;
    return again;
  }
}
