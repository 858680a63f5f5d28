// What is left of a conversation whose file somebody else has cut or written over: the entries that
// memory still has become a session of their own, beside the old one, which stays as it is.

import { dirname, join } from "node:path";
import type { Storage } from "@tau/host/storage";
import type { SessionEntry, SessionHeader } from "../entry.ts";
import type { BlobStore } from "./blob-store.ts";
import { createSessionId } from "./entry-id.ts";
import { sessionFileName } from "./session-path.ts";
import { writeSessionFile } from "./write-session.ts";

export interface Remains {
  storage: Storage;
  blobs: BlobStore | undefined;
  header: SessionHeader;
  /** Of the file that is lost. */
  path: string;
  /** A branch, from its root on. */
  entries: readonly SessionEntry[];
  now: () => number;
}

export async function rescueSession(remains: Remains): Promise<{ path: string; id: string }> {
  const { storage, blobs, header, path: lost, entries, now } = remains;
  const timestamp = new Date(now()).toISOString();
  const id = createSessionId();
  const path = join(dirname(lost), sessionFileName(timestamp, id));
  const [first, ...rest] = entries;
  // What came before the first is gone: it is the root now.
  const branch = first ? [{ ...first, parentId: null }, ...rest] : [];
  const rescued: SessionHeader = { ...header, id, timestamp, parentSession: header.id };
  await writeSessionFile({ storage, path, header: rescued, entries: branch, blobs });
  return { path, id };
}
