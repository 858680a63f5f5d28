// Where the next entry goes: its parent in the tree and its offset in the file. A position
// is a value; the log keeps one for what is acknowledged and one for what is on its way.

import type { SessionEntry } from "../entry.ts";
import { isState, movesLeaf } from "../entry-kinds.ts";
import type { LinePlace } from "./line.ts";
import { leafAfter } from "./stored-entry.ts";
import { mailAfter, type WaitingMail } from "./waiting-mail.ts";

/** Where an entry stands, for lines that refer to it. */
export interface EntryPlace {
  /** Undefined above the roots, and where it is not known. */
  offset?: number;
  /** Offset of the nearest entry at or above it that is not conversation. */
  state?: number;
  /** Whether the above is all there is: a line without hints leaves it open. */
  isComplete: boolean;
}

export const ABOVE_ROOTS: EntryPlace = { isComplete: true };
export const UNKNOWN_PLACE: EntryPlace = { isComplete: false };

export interface Position {
  leafId: string | null;
  /** Of the leaf. */
  leaf: EntryPlace;
  title: string | undefined;
  titleOffset: number | undefined;
  mail: WaitingMail;
  /** Bytes of the file. */
  size: number;
  /** Lines of the file, the header included. */
  lines: number;
}

export function placeOf(position: Position, target: EntryPlace): LinePlace {
  const place: LinePlace = { n: position.lines + 1 };
  // Half a hint would be taken for a whole one; without any, readers look for themselves.
  if (target.isComplete && target.offset !== undefined) {
    place.up = target.offset;
    if (target.state !== undefined) place.state = target.state;
  }
  if (position.titleOffset !== undefined) place.title = position.titleOffset;
  if (position.mail.offset !== undefined) place.mail = position.mail.offset;
  return place;
}

/** `target` is what the line's place refers to: the parent, or where a `leaf` moves. */
export function advance(
  position: Position,
  entry: SessionEntry,
  bytes: number,
  target: EntryPlace,
): Position {
  const offset = position.size;
  const next: Position = { ...position, size: offset + bytes, lines: position.lines + 1 };
  next.leafId = leafAfter(entry);
  next.mail = mailAfter(position.mail, entry, offset);
  next.leaf = movesLeaf(entry) ? ownPlace(entry, offset, target) : target;
  if (entry.type === "title") {
    next.title = entry.title;
    next.titleOffset = offset;
  }
  return next;
}

/** `above` is where the entry's parent stands. */
export function ownPlace(entry: SessionEntry, offset: number, above: EntryPlace): EntryPlace {
  const { isComplete } = above;
  const state = isState(entry) ? offset : above.state;
  return state === undefined ? { offset, isComplete } : { offset, state, isComplete };
}

/** What a line says about where its parent stands. */
export function parentPlace(entry: SessionEntry, place: LinePlace | undefined): EntryPlace {
  if (place?.up !== undefined) {
    const { up: offset, state } = place;
    return state === undefined ? { offset, isComplete: true } : { offset, state, isComplete: true };
  }
  return entry.parentId === null ? ABOVE_ROOTS : UNKNOWN_PLACE;
}
