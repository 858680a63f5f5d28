// What a session has seen of each file: whole texts, found again by the tag under which
// they were shown. A tag shown once means that text, or nothing any more; as long as the
// file is remembered it never comes to mean another text of it, so a tag cannot lead a
// patch to lines its writer never saw. A read of some lines records the whole file too.

import { haveSameLines } from "./line-index.ts";
import { contentTag } from "./tag.ts";

/** Files a session works on at a time; the least recently used goes first. */
const MAX_PATHS = 100;
/** Patches are written against what was shown lately. */
const MAX_VERSIONS_PER_PATH = 16;
/** Of all texts together; JavaScript keeps at most two bytes for each unit. */
const MAX_STORED_LENGTH = 32 * 1024 * 1024; // UTF-16 units, 64 MiB at most
/** Tags of texts that are gone, so that a late patch learns what happened to its text. */
const MAX_RETIRED_TAGS = 256; // per path
/** Files whose retired tags are remembered; a few kilobytes each at most. */
const MAX_REMEMBERED_PATHS = 1000;

/** How the session came to know a text: found in the file, or put there by its own edit. */
export type SnapshotOrigin = "seen" | "written";

export interface Snapshot {
  readonly tag: string;
  readonly text: string;
  readonly origin: SnapshotOrigin;
}

export type SnapshotLookup =
  | { kind: "found"; snapshot: Snapshot }
  /** Shown to the model once, but no longer kept. */
  | { kind: "forgotten" }
  | { kind: "unknown" };

interface PathHistory {
  /** Oldest first. */
  versions: Snapshot[];
  retired: Set<string>;
}

export interface SnapshotLimits {
  paths: number;
  versionsPerPath: number;
  storedLength: number;
}

const DEFAULT_LIMITS: SnapshotLimits = {
  paths: MAX_PATHS,
  versionsPerPath: MAX_VERSIONS_PER_PATH,
  storedLength: MAX_STORED_LENGTH,
};

export class SnapshotStore {
  readonly #limits: SnapshotLimits;
  /** In the order of use, least recent first. */
  readonly #paths = new Map<string, PathHistory>();
  #storedLength = 0;

  constructor(limits: Partial<SnapshotLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
  }

  get storedLength(): number {
    return this.#storedLength;
  }

  /** The tag to show for the text; record before showing. */
  record(path: string, text: string, origin: SnapshotOrigin = "seen"): Snapshot {
    const history = this.#use(path);
    const at = history.versions.findIndex((version) => haveSameLines(version.text, text));
    const known = at === -1 ? undefined : history.versions.splice(at, 1)[0]!;
    if (known) this.#storedLength -= known.text.length;
    const isLatest = known !== undefined && at === history.versions.length;
    const snapshot = {
      tag: known?.tag ?? freeTag(text, history),
      text,
      // Reading back what one has just written tells of no change from outside.
      origin: isLatest ? known.origin : origin,
    };
    history.versions.push(snapshot);
    this.#storedLength += text.length;
    this.#makeRoom(history);
    return snapshot;
  }

  find(path: string, tag: string): SnapshotLookup {
    const history = this.#paths.get(path);
    const snapshot = history?.versions.find((version) => version.tag === tag);
    if (snapshot) return { kind: "found", snapshot };
    return { kind: history?.retired.has(tag) ? "forgotten" : "unknown" };
  }

  latest(path: string): Snapshot | undefined {
    return this.#paths.get(path)?.versions.at(-1);
  }

  /** True if all that happened to the file since `snapshot`, up to `text`, was done here. */
  isOwnWork(path: string, snapshot: Snapshot, text: string): boolean {
    const versions = this.#paths.get(path)?.versions ?? [];
    const later = versions.slice(versions.findIndex((version) => version.tag === snapshot.tag) + 1);
    const last = later.at(-1);
    return (
      last !== undefined &&
      haveSameLines(last.text, text) &&
      later.every((version) => version.origin === "written")
    );
  }

  /** For a file that is moved or deleted: its old tags must not be found any more. */
  forget(path: string): void {
    const history = this.#paths.get(path);
    if (!history) return;
    while (history.versions.length > 0) this.#retireOldest(history);
  }

  #use(path: string): PathHistory {
    const history = this.#paths.get(path) ?? { versions: [], retired: new Set<string>() };
    this.#paths.delete(path);
    this.#paths.set(path, history);
    return history;
  }

  /** The newest text always stays: its tag is about to be shown. */
  #makeRoom(current: PathHistory): void {
    while (current.versions.length > this.#limits.versionsPerPath) this.#retireOldest(current);
    const histories = [...this.#paths.values()];
    let kept = histories.filter(({ versions }) => versions.length > 0).length;
    for (const history of histories) {
      if (history === current || history.versions.length === 0) continue;
      const hasRoom = this.#storedLength <= this.#limits.storedLength;
      if (kept <= this.#limits.paths && hasRoom) break;
      while (history.versions.length > 0) this.#retireOldest(history);
      kept--;
    }
    const [oldest] = this.#paths.keys();
    if (this.#paths.size > MAX_REMEMBERED_PATHS) this.#paths.delete(oldest!);
    while (this.#storedLength > this.#limits.storedLength && current.versions.length > 1) {
      this.#retireOldest(current);
    }
  }

  #retireOldest(history: PathHistory): void {
    const gone = history.versions.shift()!;
    this.#storedLength -= gone.text.length;
    history.retired.add(gone.tag);
    if (history.retired.size > MAX_RETIRED_TAGS) {
      history.retired.delete(history.retired.values().next().value!);
    }
  }
}

/** The tag of the content, or of a variation of it where another text of the file has that. */
function freeTag(text: string, { versions, retired }: PathHistory): string {
  let tag = contentTag(text);
  for (let attempt = 1; ; attempt++) {
    if (!retired.has(tag) && !versions.some((version) => version.tag === tag)) return tag;
    tag = contentTag(`${attempt}\n${text}`);
  }
}
