// Makes entries as they are written: with their place in the tree first, and with the flag for
// readers that will not know their kind. The index reads these fields without the rest of a line.

import type { NewEntry, SessionEntry } from "../entry.ts";
import { movesLeaf } from "../entry-kinds.ts";

export function newEntry(
  { type, ...rest }: NewEntry,
  place: Pick<SessionEntry, "id" | "parentId" | "timestamp">,
): SessionEntry {
  const { id, parentId, timestamp } = place;
  const head = { type, id, parentId, timestamp };
  const flag = movesLeaf({ type }) ? {} : { aside: true };
  return { ...head, ...flag, ...rest } as SessionEntry;
}

/** For a copy of a file that was written before there was a flag. */
export function flagged(entry: SessionEntry): SessionEntry {
  if (entry.aside !== undefined || movesLeaf(entry)) return entry;
  const { type, id, parentId, timestamp, ...rest } = entry;
  return { type, id, parentId, timestamp, aside: true, ...rest } as SessionEntry;
}
