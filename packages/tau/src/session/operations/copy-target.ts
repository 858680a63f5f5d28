// Where a fork or a branch comes to be: a new file in a project's directory with everything it
// needs beside it, or memory. The session's file is the last thing to appear, so that whoever
// sees it sees all of it; what a crash left before is swept up by `tau sessions gc`.

import { join } from "node:path";
import { StorageError } from "@tau/host/storage-error";
import type { SessionEntry } from "../entry.ts";
import { artifactDirectory } from "../artifacts/artifact-name.ts";
import { copyArtifacts } from "../artifacts/copy-artifacts.ts";
import { createSessionId } from "../log/entry-id.ts";
import { createMemorySession, createSessionLog } from "../log/open-session.ts";
import { sessionFileName } from "../log/session-path.ts";
import type { SessionSurroundings } from "../log/session-surroundings.ts";
import type { SessionLog } from "../session-log.ts";
import type { OpenedSource } from "./copy-source.ts";

export interface CopyTarget {
  /** Of the project's sessions; in memory where it is left out. */
  directory?: string;
  /** Where the conversation goes on; where it was, where it is left out. */
  cwd?: string;
}

const CLEAN = { point: "session.clean-copy" };

/** Open for writing, and locked. */
export async function createCopy(
  source: OpenedSource,
  entries: AsyncIterable<SessionEntry>,
  target: CopyTarget,
  surroundings: SessionSurroundings,
): Promise<SessionLog> {
  const { now = Date.now, storage } = surroundings;
  const { directory, cwd = source.header.cwd } = target;
  const origin = { cwd, parentSession: source.header.id };
  if (directory === undefined) {
    return createMemorySession({ ...origin, now, entries: await Array.fromAsync(entries) });
  }
  const id = createSessionId();
  const timestamp = new Date(now()).toISOString();
  const path = join(directory, sessionFileName(timestamp, id));
  const artifacts = artifactDirectory(path);
  try {
    await copyArtifacts(storage, source.artifacts, artifacts);
    const place = { path };
    return await createSessionLog({ ...surroundings, ...origin, id, timestamp, place, entries });
  } catch (error) {
    await sweepUp(surroundings, path);
    throw error;
  }
}

/** Removes what was put beside a session that did not come to be. */
export async function sweepUp({ storage }: SessionSurroundings, path: string): Promise<void> {
  try {
    if ((await storage.stat(path)) !== undefined) return;
    await storage.remove(artifactDirectory(path), { ...CLEAN, what: "tree" });
  } catch (error) {
    // The disk that refused the copy refuses this too; what explains is on its way up.
    if (!(error instanceof StorageError)) throw error;
  }
}
