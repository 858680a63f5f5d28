// Turns what an appender gives into lines: each gets its id, its parent and its place in
// the file, as if everything before it succeeds. Pure but for the ids, so that an append
// that cannot be encoded changes nothing.

import type { NewEntry, SessionEntry } from "../entry.ts";
import type { Blob } from "./blob-store.ts";
import { newEntry } from "./flag-aside.ts";
import { externaliseImages } from "./image-blobs.ts";
import { encodeLine, type LinePlace } from "./line.ts";
import { ABOVE_ROOTS, advance, placeOf, type EntryPlace, type Position } from "./position.ts";

export interface StagedLine {
  entry: SessionEntry;
  place: LinePlace;
  start: number;
  end: number;
}

export interface StagedEntries {
  lines: StagedLine[];
  bytes: Uint8Array;
  blobs: Blob[];
  after: Position;
}

export interface Staging {
  position: Position;
  nextId: () => string;
  timestamp: string;
  /** Throws where there is no such position. */
  placeOf: (id: string) => EntryPlace;
  images: Images;
}

/** Whether large ones go to the blob store. */
export type Images = "outside" | "inline";

export function stageEntries(entries: readonly NewEntry[], staging: Staging): StagedEntries {
  const { nextId, timestamp } = staging;
  let { position } = staging;
  const lines: StagedLine[] = [];
  const encoded: Uint8Array[] = [];
  const blobs: Blob[] = [];
  for (const [index, given] of entries.entries()) {
    const entry = newEntry(given, { id: nextId(), parentId: position.leafId, timestamp });
    const target = targetOf(entry, position, staging);
    const place = placeOf(position, target);
    if (entries.length > 1) place.batch = [index + 1, entries.length];
    const line = encodeEntry(entry, place, staging.images);
    blobs.push(...line.blobs);
    encoded.push(line.bytes);
    const start = position.size;
    position = advance(position, entry, line.bytes.length, target);
    lines.push({ entry, place, start, end: position.size });
  }
  return { lines, bytes: Buffer.concat(encoded), blobs, after: position };
}

/** What the line's place refers to. */
function targetOf(entry: SessionEntry, position: Position, staging: Staging): EntryPlace {
  if (entry.type !== "leaf") return position.leaf;
  return entry.leafId === null ? ABOVE_ROOTS : staging.placeOf(entry.leafId);
}

export function encodeEntry(
  entry: SessionEntry,
  place: LinePlace,
  images: Images,
): { bytes: Uint8Array; blobs: Blob[] } {
  if (images === "inline") return { bytes: encodeLine(entry, place), blobs: [] };
  const { value, blobs } = externaliseImages(entry);
  return { bytes: encodeLine(value, place), blobs };
}
