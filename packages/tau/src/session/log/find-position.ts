// Where a session stands when it is opened: its leaf and its title, from its last good line.

import type { LogReader } from "./log-reader.ts";
import { ABOVE_ROOTS, UNKNOWN_PLACE, type EntryPlace, type Position } from "./position.ts";
import type { Tail } from "./read-tail.ts";
import { leafAfter, type StoredEntry } from "./stored-entry.ts";
import { NO_MAIL, waitingIn, type WaitingMail } from "./waiting-mail.ts";

export async function findPosition(reader: LogReader, tail: Tail, size: number): Promise<Position> {
  const { last, lines } = tail;
  if (!last) {
    const nowhere = { leafId: null, leaf: ABOVE_ROOTS, title: undefined, titleOffset: undefined };
    return { ...nowhere, mail: NO_MAIL, size, lines };
  }
  reader.learn(last);
  const leaf = await findLeaf(reader, last);
  const mail = await findMail(reader, last);
  return { ...leaf, ...(await findTitle(reader, last)), mail, size, lines };
}

async function findLeaf(
  reader: LogReader,
  last: StoredEntry,
): Promise<{ leafId: string | null; leaf: EntryPlace }> {
  const named = leafAfter(last.entry);
  let leafId = named === null ? null : await reader.standing(named);
  if (leafId === null) return { leafId, leaf: ABOVE_ROOTS };
  const leaf = leafId === undefined ? undefined : await reader.locate(leafId);
  if (leaf) return { leafId: leafId!, leaf };
  // The line that it names is damaged: the position before that one is the best there is.
  leafId = (await reader.index()).parentOf(last.entry.id);
  if (leafId === null) return { leafId, leaf: ABOVE_ROOTS };
  return { leafId, leaf: (await reader.locate(leafId)) ?? UNKNOWN_PLACE };
}

async function findMail(reader: LogReader, last: StoredEntry): Promise<WaitingMail> {
  const offset = last.entry.type === "mail" ? last.start : last.place?.mail;
  if (offset === undefined) return NO_MAIL;
  const ids = waitingIn(await reader.mailFrom(offset));
  return ids.size === 0 ? NO_MAIL : { offset, ids };
}

async function findTitle(
  reader: LogReader,
  last: StoredEntry,
): Promise<Pick<Position, "title" | "titleOffset">> {
  const offset = last.entry.type === "title" ? last.start : last.place?.title;
  if (offset === undefined) return { title: undefined, titleOffset: undefined };
  const stored = await reader.entryAt(offset);
  if (stored?.entry.type === "title") return { title: stored.entry.title, titleOffset: offset };
  // The file was changed so that offsets no longer hold; its content still does.
  return { title: (await reader.index()).title, titleOffset: undefined };
}
