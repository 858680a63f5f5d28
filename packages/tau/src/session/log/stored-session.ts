// A session file as something to copy from: forks, branches, moves and imports. It is only
// read, so that it may be in use by another process: what counts is what had been acknowledged
// when it was opened. Images stay references where both sides have the same store, and lines
// that are damaged are left out in such a way that the tree of the copy is the tree of the
// original.

import type { SessionEntry, SessionHeader } from "../entry.ts";
import { SESSION_VERSION } from "../entry.ts";
import type { LogRepair } from "../session-log.ts";
import { pathSource, type ByteSource } from "./byte-source.ts";
import { bothStores, hasForeignBlobs } from "./foreign-blobs.ts";
import { rehydrateImages } from "./image-blobs.ts";
import { SessionReplaced } from "./log-error.ts";
import { OffsetIndex } from "./offset-index.ts";
import { readHeader, type FoundHeader } from "./read-header.ts";
import { isBlank, linesForward } from "./read-lines.ts";
import { readTail } from "./read-tail.ts";
import type { SessionSurroundings } from "./session-surroundings.ts";
import { decodeEntry } from "./stored-entry.ts";

export interface StoredSession {
  readonly path: string;
  readonly header: SessionHeader;
  /** Of the file's format. */
  readonly version: number;
  /** What was wrong with it; complete when its entries have been read. */
  readonly repairs: LogRepair[];
  /** In the order of the file; a parent comes before its children. */
  entries(): AsyncIterable<SessionEntry>;
}

/** Throws `NotASession` or `StorageError`; its entries may throw `SessionReplaced`. */
export async function readStored(
  path: string,
  surroundings: SessionSurroundings,
): Promise<StoredSession> {
  const found = await readHeader(surroundings.storage, path);
  if (found.format === "current") return currentSession(path, found, surroundings);
  const { convertHeader, legacyEntries } = await import("./legacy/migrate.ts");
  const { version } = found;
  const repairs: LogRepair[] = [];
  const reading = { repairs, missing: "keep" as const };
  const entries = (): AsyncIterable<SessionEntry> =>
    legacyEntries(path, found, surroundings, reading);
  return { path, header: convertHeader(found), version, repairs, entries };
}

/** The entries from there on, under a header that somebody else knows. */
export async function readBeheaded(
  path: string,
  { header, dataStart }: { header: SessionHeader; dataStart: number },
  surroundings: SessionSurroundings,
): Promise<StoredSession> {
  const size = (await surroundings.storage.stat(path))?.size ?? 0;
  const found = { header, dataStart, size, damaged: true, lacksLineEnd: false } as const;
  return currentSession(path, { format: "current", ...found }, surroundings);
}

async function currentSession(
  path: string,
  found: Extract<FoundHeader, { format: "current" }>,
  surroundings: SessionSurroundings,
): Promise<StoredSession> {
  const { storage, blobs } = surroundings;
  const source = pathSource(storage, path);
  const identity = (await storage.stat(path))?.identity;
  const { size } = await readTail(source, found.dataStart, found.size);
  const index = await OffsetIndex.build(source, found.dataStart, size);
  const repairs = index.damaged.map(({ line, bytes }): LogRepair => {
    const message = `Line ${line} of ${path} is damaged (${bytes} bytes) and was not copied; it stays in the original.`;
    return { kind: "bad_line", message, line, bytes };
  });
  const extent = { source, from: found.dataStart, to: size, index };
  const images = hasForeignBlobs(path, blobs) ? bothStores(storage, path, blobs) : undefined;
  return {
    path,
    header: found.header,
    version: SESSION_VERSION,
    repairs,
    async *entries() {
      for await (const entry of storedEntries(extent)) {
        if (!images) yield entry;
        else {
          yield await rehydrateImages(
            entry,
            images,
            ({ hash }) => repairs.push(missingImage(path, hash)),
            "keep",
          );
        }
      }
      // It is read by its name, which may have come to mean another file on the way.
      if ((await storage.stat(path))?.identity !== identity) throw new SessionReplaced(path);
    },
  };
}

interface Extent {
  source: ByteSource;
  from: number;
  to: number;
  index: OffsetIndex;
}

async function* storedEntries({ source, from, to, index }: Extent): AsyncGenerator<SessionEntry> {
  const seen = new Set<string>();
  for await (const raw of linesForward(source, from, to)) {
    const stored = isBlank(raw) ? undefined : decodeEntry(raw.bytes, raw.start);
    // Of two entries of one name the first counts, here as in the index.
    if (!stored || seen.has(stored.entry.id)) continue;
    seen.add(stored.entry.id);
    yield mended(stored.entry, seen, index);
  }
}

/** If a parent's line is damaged or stands aside, the entry hangs where every reader lets it hang. */
function mended(entry: SessionEntry, seen: ReadonlySet<string>, index: OffsetIndex): SessionEntry {
  const { parentId } = entry;
  const isElsewhere = parentId !== null && (!seen.has(parentId) || index.isAside(parentId));
  const parent = isElsewhere ? index.parentOf(entry.id) : parentId;
  if (entry.type === "leaf" && entry.leafId !== null) {
    const { leafId } = entry;
    if (!seen.has(leafId)) return { ...entry, parentId: parent, leafId: parent };
    if (index.isAside(leafId)) {
      return { ...entry, parentId: parent, leafId: index.parentOf(leafId) };
    }
  }
  if (entry.type === "compaction" && index.isAside(entry.firstKeptEntryId)) {
    const kept = index.keptFrom(entry.id, entry.firstKeptEntryId);
    return { ...entry, parentId: parent, firstKeptEntryId: kept };
  }
  return isElsewhere ? { ...entry, parentId: parent } : entry;
}

function missingImage(path: string, hash: string): LogRepair {
  const message = `An image in ${path} cannot be copied: its data is missing from the blob store (${hash}).`;
  return { kind: "missing_blob", message };
}
