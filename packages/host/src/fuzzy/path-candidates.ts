// The paths that can be completed, prepared for matching: as a whole and by their last
// part. Preparing costs more than matching, so that it happens once for each listing.

import type { Fuzzysort, SnapshotKey } from "fuzzysort";

export interface PathCandidate {
  /** Relative to the workspace, with a slash at its end if it is a directory. */
  path: string;
  /** What is matched and shown: composed characters, as people type them. */
  label: string;
  /** The last part of the label, without the slash of a directory. */
  name: string;
  nameAt: number;
}

export interface PathCandidates {
  all: readonly PathCandidate[];
  byPath: ReadonlyMap<string, PathCandidate>;
  labels: SnapshotKey<PathCandidate>;
  names: SnapshotKey<PathCandidate>;
}

/** Longer paths cost more to match than anybody gains from completing them. */
const MAX_PATH_CHARS = 1000;

function candidateOf(path: string): PathCandidate {
  // Some file systems store accents apart from their letters.
  const label = path.normalize("NFC");
  const trimmed = label.endsWith("/") ? label.slice(0, -1) : label;
  const nameAt = trimmed.lastIndexOf("/") + 1;
  return { path, label, name: trimmed.slice(nameAt), nameAt };
}

export async function prepareCandidates(paths: readonly string[]): Promise<PathCandidates> {
  const fuzzysort = await loadFuzzysort();
  const all = paths.filter(({ length }) => length <= MAX_PATH_CHARS).map(candidateOf);
  const labels = fuzzysort.snapshot(all, { key: "label" });
  const names = fuzzysort.snapshot(all, { key: "name" });
  // The matcher prepares at the first question; better now than under somebody's fingers.
  for (const snapshot of [labels, names]) fuzzysort.go("a", snapshot, { limit: 1 });
  const byPath = new Map(all.map((candidate) => [candidate.path, candidate]));
  return { all, byPath, labels, names };
}

export async function loadFuzzysort(): Promise<Fuzzysort> {
  return (await import("fuzzysort")).default;
}
