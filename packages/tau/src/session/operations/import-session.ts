// Brings a session file from elsewhere (another machine, an export of the older family) among
// the user's own, with its images and artifacts. The original is only read. Nothing in it is
// trusted to be a name: an id or a time that would lead out of the directory is replaced.

import { join } from "node:path";
import { SESSION_VERSION, type SessionHeader } from "../entry.ts";
import { artifactDirectory } from "../artifacts/artifact-name.ts";
import { copyArtifacts } from "../artifacts/copy-artifacts.ts";
import { artifactPlaces } from "../artifacts/open-artifacts.ts";
import { createSessionId } from "../log/entry-id.ts";
import { sessionFileName } from "../log/session-path.ts";
import type { SessionSurroundings } from "../log/session-surroundings.ts";
import { readStored } from "../log/stored-session.ts";
import { writeSessionFile } from "../log/write-session.ts";
import { listAllSessions } from "../listing/list-sessions.ts";
import type { LogRepair } from "../session-log.ts";
import { sweepUp } from "./copy-target.ts";
import { withoutPendingMail } from "./fork-session.ts";
import { SessionExists } from "./operation-error.ts";

const DIRECTORY = { point: "session.directory" };
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{3,99}$/;

export interface ImportTarget {
  /** Of all projects: an id is looked for in all of them. */
  sessionsDirectory: string;
  directory: string;
  cwd: string;
  /** "same" is refused where the user has a session of that id. */
  identity: "same" | "new";
}

export interface ImportedSession {
  path: string;
  header: SessionHeader;
  repairs: readonly LogRepair[];
}

/** Throws `SessionExists`, `NotASession` or `StorageError`. */
export async function importSession(
  path: string,
  target: ImportTarget,
  surroundings: SessionSurroundings,
): Promise<ImportedSession> {
  const { storage, blobs, now = Date.now } = surroundings;
  const stored = await readStored(path, surroundings);
  const header = headerFor(stored.header, target, now);
  if (header.id === stored.header.id) await refuseTaken(header.id, target.sessionsDirectory);
  await storage.makeDirectory(target.directory, DIRECTORY);
  const to = join(target.directory, sessionFileName(header.timestamp, header.id));
  const isCopy = header.id !== stored.header.id;
  const entries = isCopy ? withoutPendingMail(stored.entries(), now) : stored.entries();
  try {
    await copyArtifacts(storage, artifactPlaces(path, stored.header), artifactDirectory(to));
    await writeSessionFile({ storage, path: to, header, entries, blobs });
  } catch (error) {
    await sweepUp(surroundings, to);
    throw error;
  }
  return { path: to, header, repairs: stored.repairs };
}

function headerFor(
  found: SessionHeader,
  { cwd, identity }: ImportTarget,
  now: () => number,
): SessionHeader {
  const isKept = identity === "same" && SAFE_ID.test(found.id);
  const time = Date.parse(found.timestamp);
  const { parentSession } = found;
  const parent = isKept ? parentSession : found.id;
  return {
    type: "session",
    version: SESSION_VERSION,
    id: isKept ? found.id : createSessionId(),
    timestamp: new Date(Number.isNaN(time) || !isKept ? now() : time).toISOString(),
    cwd,
    parentSession: parent,
  };
}

async function refuseTaken(id: string, sessionsDirectory: string): Promise<void> {
  const taken = (await listAllSessions(sessionsDirectory)).find((info) => info.id === id);
  if (!taken) return;
  const next = "Import it under a new id, or remove the other one first.";
  throw new SessionExists(taken.path, `The session ${id}`, next);
}
