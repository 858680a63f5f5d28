// An entry together with where it stands in its file, and how it moves the position.

import type { SessionEntry } from "../entry.ts";
import { movesLeaf } from "../entry-kinds.ts";
import { decodeLine, isRecord, type LinePlace } from "./line.ts";

/** As it stands in the file: images may still be references. */
export interface StoredEntry {
  entry: SessionEntry;
  place: LinePlace | undefined;
  start: number;
}

export function decodeEntry(bytes: Uint8Array | undefined, start: number): StoredEntry | undefined {
  const line = bytes && decodeLine(bytes);
  if (!line || !isEntry(line.value)) return undefined;
  return { entry: line.value, place: line.place, start };
}

/** What the tree needs; the rest of an entry is its author's, who wrote it with a checksum. */
export function isEntry(
  value: Record<string, unknown>,
): value is Record<string, unknown> & SessionEntry {
  const { type, id, parentId, timestamp } = value;
  if (typeof type !== "string" || typeof id !== "string" || type === "session") return false;
  if (parentId !== null && typeof parentId !== "string") return false;
  if (typeof timestamp !== "string") return false;
  if (type === "leaf") return value.leafId === null || typeof value.leafId === "string";
  return type !== "message" || isRecord(value.message);
}

/** The position after this entry was written. */
export function leafAfter(entry: SessionEntry): string | null {
  if (movesLeaf(entry)) return entry.id;
  return entry.type === "leaf" ? entry.leafId : entry.parentId;
}
