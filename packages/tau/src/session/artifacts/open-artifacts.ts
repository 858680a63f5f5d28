// The artifacts that belong to a session: files beside its own, or memory where it has none.

import type { Storage } from "@tau/host/storage";
import type { SessionHeader } from "../entry.ts";
import type { SessionLog } from "../session-log.ts";
import { artifactDirectory, inheritedDirectories } from "./artifact-name.ts";
import type { ArtifactStore } from "./artifact-store.ts";
import { DiskArtifacts } from "./disk-artifacts.ts";
import { MemoryArtifacts } from "./memory-artifacts.ts";

export function openArtifacts(
  log: Pick<SessionLog, "path" | "header">,
  storage: Storage,
): ArtifactStore {
  const { path, header } = log;
  if (path === undefined) return new MemoryArtifacts();
  const [directory, ...inherited] = artifactPlaces(path, header);
  return new DiskArtifacts({ storage, directory: directory!, inherited });
}

/** The session's own directory first. */
export function artifactPlaces(path: string, header: SessionHeader): string[] {
  return [artifactDirectory(path), ...inheritedDirectories(path, header.migratedFrom?.path)];
}
