// A second session with all that the first has, in which another attempt can be made. The
// original is only read, so that it may be in use.

import type { SessionEntry } from "../entry.ts";
import { createEntryIds } from "../log/entry-id.ts";
import type { SessionSurroundings } from "../log/session-surroundings.ts";
import { leafAfter } from "../log/stored-entry.ts";
import type { LogRepair, SessionLog } from "../session-log.ts";
import { openSource, type CopySource } from "./copy-source.ts";
import { createCopy, type CopyTarget } from "./copy-target.ts";

export interface CopiedSession {
  /** Open for writing; the caller's to close. */
  log: SessionLog;
  /** What was wrong with the original. */
  repairs: readonly LogRepair[];
}

/** Throws `NotASession` or `StorageError`. */
export async function forkSession(
  from: CopySource,
  target: CopyTarget,
  surroundings: SessionSurroundings,
): Promise<CopiedSession> {
  const source = await openSource(from, surroundings);
  const { now = Date.now } = surroundings;
  const entries = withoutPendingMail(source.entries(), now);
  const log = await createCopy(source, entries, target, surroundings);
  return { log, repairs: source.repairs };
}

/**
 * A message that waits for its agent is delivered once, in the session that it was sent to: the
 * copy takes it back.
 */
export async function* withoutPendingMail(
  entries: AsyncIterable<SessionEntry>,
  now: () => number,
): AsyncGenerator<SessionEntry> {
  const pending = new Set<string>();
  const settled = new Set<string>();
  let last: SessionEntry | undefined;
  for await (const entry of entries) {
    if (entry.type === "mail") {
      if (entry.state !== "queued") settled.add(entry.mailId);
      else pending.add(entry.mailId);
    }
    last = entry;
    yield entry;
  }
  if (!last) return;
  const nextId = createEntryIds(now, last.id);
  const timestamp = new Date(now()).toISOString();
  const parentId = leafAfter(last);
  for (const mailId of pending) {
    if (settled.has(mailId)) continue;
    yield { type: "mail", id: nextId(), parentId, timestamp, mailId, state: "withdrawn" };
  }
}
