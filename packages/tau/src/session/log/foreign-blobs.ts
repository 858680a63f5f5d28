// Images of a session that lies elsewhere: another user's, another agent directory's, an older
// program's. All of them keep blobs two directories above their sessions, as Tau does.

import { dirname, join } from "node:path";
import type { Storage } from "@tau/host/storage";
import { createBlobStore, type BlobStore } from "./blob-store.ts";

function blobsNear(sessionPath: string): string {
  return join(dirname(sessionPath), "..", "..", "blobs");
}

/** Whether a session's images are not where ours are. */
export function hasForeignBlobs(sessionPath: string, own: BlobStore | undefined): boolean {
  return own !== undefined && join(own.directory) !== blobsNear(sessionPath);
}

/** Ours first, then those beside the session. */
export function bothStores(
  storage: Storage,
  sessionPath: string,
  own: BlobStore | undefined,
): BlobStore {
  const theirs = createBlobStore(storage, blobsNear(sessionPath));
  return { ...theirs, get: async (hash) => (await own?.get(hash)) ?? (await theirs.get(hash)) };
}
