// Which mail of a file still waits, and where the latest word about mail stands. Each such line
// names the one before it, so that what waits is found without reading the file.

import type { MailEntry, SessionEntry } from "../entry.ts";

export interface WaitingMail {
  /** Of the latest mail entry; undefined where nothing waits. */
  offset: number | undefined;
  ids: ReadonlySet<string>;
}

export const NO_MAIL: WaitingMail = { offset: undefined, ids: new Set() };

export function mailAfter(before: WaitingMail, entry: SessionEntry, offset: number): WaitingMail {
  if (entry.type !== "mail") return before;
  const ids = new Set(before.ids);
  follow(ids, entry);
  return ids.size === 0 ? NO_MAIL : { offset, ids };
}

/** Oldest first. */
export function waitingIn(entries: readonly MailEntry[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const entry of entries) follow(ids, entry);
  return ids;
}

function follow(ids: Set<string>, { mailId, state }: MailEntry): void {
  if (state === "queued") ids.add(mailId);
  else ids.delete(mailId);
}
