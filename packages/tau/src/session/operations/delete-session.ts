// Removes a session and what belongs to it. The file goes first: from then on there is no such
// session, and what a crash leaves of the rest is swept up by `tau sessions gc`.

import { resolveLinks } from "@tau/host/replace-file";
import { artifactDirectory } from "../artifacts/artifact-name.ts";
import { lockSession } from "../log/open-session.ts";
import { readHeader } from "../log/read-header.ts";
import type { SessionSurroundings } from "../log/session-surroundings.ts";
import { damagedPath } from "./move-session.ts";

const REMOVE = { point: "session.remove" };
const REMOVE_ARTIFACTS = { point: "session.remove-artifacts" };

/** Throws `SessionLocked` with who has it, `NotASession` or `StorageError`. */
export async function deleteSession(
  path: string,
  surroundings: SessionSurroundings,
): Promise<void> {
  const { storage } = surroundings;
  const file = await resolveLinks(path);
  // Looked at first: what is no session is not this function's to remove.
  await readHeader(storage, file);
  const lock = await lockSession(file, surroundings);
  try {
    await storage.remove(file, REMOVE);
    await storage.remove(damagedPath(file), REMOVE);
    await storage.remove(artifactDirectory(file), { ...REMOVE_ARTIFACTS, what: "tree" });
  } finally {
    await lock.release();
  }
}
