// What a fork or a branch is made from: a file, which may be in use elsewhere, or a session
// that is only in memory.

import type { SessionEntry, SessionHeader } from "../entry.ts";
import { artifactPlaces } from "../artifacts/open-artifacts.ts";
import type { LogRepair, SessionLog } from "../session-log.ts";
import { readStored } from "../log/stored-session.ts";
import type { SessionSurroundings } from "../log/session-surroundings.ts";

/** A log stands for its file, or for itself where it has none. */
export type CopySource = { path: string } | { log: SessionLog };

export interface OpenedSource {
  header: SessionHeader;
  repairs: readonly LogRepair[];
  /** Where its artifacts are. */
  artifacts: readonly string[];
  entries(): AsyncIterable<SessionEntry>;
}

export async function openSource(
  source: CopySource,
  surroundings: SessionSurroundings,
): Promise<OpenedSource> {
  const path = "path" in source ? source.path : source.log.path;
  if (path === undefined) {
    const { log } = source as { log: SessionLog };
    return { header: log.header, repairs: [], artifacts: [], entries: () => log.entries() };
  }
  const stored = await readStored(path, surroundings);
  const { header, repairs } = stored;
  const artifacts = artifactPlaces(path, header);
  return { header, repairs, artifacts, entries: () => stored.entries() };
}
