// Takes a session to another project's directory, for a project that was renamed or a
// conversation that belongs elsewhere. There is one file of it at every moment: its header is
// changed where it is, with one rename, and then the file goes to its new place, with another.
// Its artifacts are there before it, and gone from the old place after it. Stopped in between,
// the session is whole and the same move finishes it.

import { basename, dirname, join } from "node:path";
import { removeIfPossible } from "@tau/host/remove-if-possible";
import { resolveLinks, temporaryPathFor } from "@tau/host/replace-file";
import { StorageError } from "@tau/host/storage-error";
import { SESSION_VERSION } from "../entry.ts";
import { artifactDirectory } from "../artifacts/artifact-name.ts";
import { copyArtifacts, linkOrCopy } from "../artifacts/copy-artifacts.ts";
import { artifactPlaces } from "../artifacts/open-artifacts.ts";
import { lockSession } from "../log/open-session.ts";
import type { SessionSurroundings } from "../log/session-surroundings.ts";
import { readStored, type StoredSession } from "../log/stored-session.ts";
import { writeSessionFile } from "../log/write-session.ts";
import { OperationRefused, SessionExists } from "./operation-error.ts";

const DIRECTORY = { point: "session.directory" };
const REWRITE = { point: "session.rewrite" };
const MOVE = { point: "session.move" };
const REMOVE_ARTIFACTS = { point: "session.remove-artifacts" };

export interface MoveTarget {
  /** Where the conversation goes on. */
  cwd: string;
  /** Of that project's sessions. */
  directory: string;
}

/**
 * Returns the new path. Throws `SessionLocked`, `SessionExists`, `OperationRefused`,
 * `NotASession` or `StorageError`.
 */
export async function moveSession(
  path: string,
  target: MoveTarget,
  surroundings: SessionSurroundings,
): Promise<string> {
  const { storage } = surroundings;
  const from = await resolveLinks(path);
  await storage.makeDirectory(target.directory, DIRECTORY);
  const to = await resolveLinks(join(target.directory, basename(from)));
  const lock = await lockSession(from, surroundings);
  try {
    const session = await readStored(from, surroundings);
    refuseOlder(session);
    // Writing it anew leaves out what cannot be read: the file as it was is kept beside it.
    if (session.repairs.length > 0) await linkOrCopy(storage, from, damagedPath(to));
    if (to !== from) await goTo(from, to, session, target.cwd, surroundings);
    else if (session.header.cwd !== target.cwd) await rewrite(session, target.cwd, surroundings);
  } finally {
    await lock.release();
  }
  return to;
}

async function goTo(
  from: string,
  to: string,
  session: StoredSession,
  cwd: string,
  surroundings: SessionSurroundings,
): Promise<void> {
  const { storage } = surroundings;
  const lock = await lockSession(to, surroundings);
  try {
    if ((await storage.stat(to)) !== undefined) {
      throw new SessionExists(to, "A session with that name", "Remove or rename it first.");
    }
    await copyArtifacts(storage, artifactPlaces(from, session.header), artifactDirectory(to));
    if (session.header.cwd !== cwd) await rewrite(session, cwd, surroundings);
    await rename(from, to, surroundings);
    await storage.remove(artifactDirectory(from), { ...REMOVE_ARTIFACTS, what: "tree" });
  } finally {
    await lock.release();
  }
}

/** The same session with another directory in its header. */
async function rewrite(
  session: StoredSession,
  cwd: string,
  { storage, blobs }: SessionSurroundings,
): Promise<void> {
  const { path } = session;
  const temporary = temporaryPathFor(path);
  const header = { ...session.header, cwd };
  try {
    await writeSessionFile({ storage, path: temporary, header, entries: session.entries(), blobs });
    await storage.rename(temporary, path, REWRITE);
  } catch (error) {
    if (error instanceof StorageError) await removeIfPossible(storage, temporary, REWRITE);
    throw error;
  }
}

async function rename(
  from: string,
  to: string,
  { storage, blobs, ...rest }: SessionSurroundings,
): Promise<void> {
  try {
    await storage.rename(from, to, MOVE);
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== "EXDEV") throw error;
    // Between file systems nothing can be renamed: for a moment both have it.
    const session = await readStored(from, { storage, blobs, ...rest });
    const { header } = session;
    await writeSessionFile({ storage, path: to, header, entries: session.entries(), blobs });
    await storage.remove(from, MOVE);
  }
}

/** Where a moved session's file is kept as it was, if lines of it were damaged. */
export function damagedPath(sessionPath: string): string {
  return `${sessionPath}.damaged`;
}

function refuseOlder({ path, version }: StoredSession): void {
  if (version === SESSION_VERSION) return;
  throw new OperationRefused(
    `${path} is of version ${version} and stays where it is; import it, or fork it, to have a copy elsewhere (${dirname(path)} keeps the original).`,
  );
}
