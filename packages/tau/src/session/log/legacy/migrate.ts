// Files of versions 1 to 3, which an older product family writes and may still use. Such a
// file is never changed. Opened for reading it is converted in memory; opened for writing
// it gets a successor of version 4 beside it, `<name>.v4.jsonl`, which is opened from then
// on. That is the safest of the choices: the older program does not know version 4 and
// would begin a new session over a file it cannot read. The successor's header names the
// original and its hash; should the original have grown since, the next opening makes
// another successor, and both stay.

import type { Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import { SESSION_VERSION, type SessionEntry, type SessionHeader } from "../../entry.ts";
import { NotASession, type LogRepair, type SessionLog } from "../../session-log.ts";
import { bothStores } from "../foreign-blobs.ts";
import { pathSource } from "../byte-source.ts";
import { rehydrateImages, type MissingImages } from "../image-blobs.ts";
import { parseObject } from "../line.ts";
import { MemoryLog } from "../memory-log.ts";
import type { CurrentHeader } from "../open-durable.ts";
import { readHeader, type FoundHeader } from "../read-header.ts";
import { isBlank, linesForward } from "../read-lines.ts";
import type { SessionSurroundings } from "../session-surroundings.ts";
import { writeSessionFile } from "../write-session.ts";
import { LegacyConverter } from "./convert-entry.ts";

export type LegacyHeader = Extract<FoundHeader, { format: "legacy" }>;

export interface Successor {
  path: string;
  found: CurrentHeader;
  repairs: LogRepair[];
}

const HASH_CHUNK_BYTES = 1024 * 1024;
/** Each would be a successor of a different state of one original. */
const MAX_SUCCESSORS = 100;

export async function viewLegacySession(
  path: string,
  found: LegacyHeader,
  surroundings: SessionSurroundings,
): Promise<SessionLog> {
  const message = `${path} has the old format version ${found.version}; it was read without changing it.`;
  const repairs: LogRepair[] = [{ kind: "migrated", message }];
  const entries: SessionEntry[] = [];
  const reading = legacyEntries(path, found, surroundings, { repairs, missing: "note" });
  for await (const entry of reading) entries.push(entry);
  const { now = Date.now } = surroundings;
  return new MemoryLog({ header: convertHeader(found), now, entries, repairs, viewOf: path });
}

/** Finds the successor of this very file, or writes it. */
export async function migrateSession(
  path: string,
  found: LegacyHeader,
  surroundings: SessionSurroundings,
): Promise<Successor> {
  const { storage, blobs } = surroundings;
  const { version, size: bytes } = found;
  const sha256 = await hashFile(storage, path, bytes);
  const header = { ...convertHeader(found), migratedFrom: { path, version, bytes, sha256 } };
  const stem = path.replace(/\.jsonl$/, "");
  for (let count = 1; count <= MAX_SUCCESSORS;) {
    const target = `${stem}.v${SESSION_VERSION}${count === 1 ? "" : `-${count}`}.jsonl`;
    const repairs: LogRepair[] = [migrated(path, version, target)];
    const existing = await successorHeader(storage, target);
    if (existing === undefined) {
      const entries = legacyEntries(path, found, surroundings, { repairs, missing: "keep" });
      try {
        await writeSessionFile({ storage, path: target, header, entries, blobs });
      } catch (error) {
        // Somebody else wrote it meanwhile: it is looked at again.
        if (error instanceof StorageError && error.code === "EEXIST") continue;
        throw error;
      }
      return { path: target, found: (await readHeader(storage, target)) as CurrentHeader, repairs };
    }
    if (existing !== "other" && existing.header.migratedFrom?.sha256 === sha256) {
      return { path: target, found: existing, repairs };
    }
    count += 1;
  }
  throw new StorageError({ code: "EEXIST", path, operation: "create" });
}

function migrated(path: string, version: number, target: string): LogRepair {
  const message = `${path} has the old format version ${version} and is not changed; the session continues in ${target}.`;
  return { kind: "migrated", message };
}

async function successorHeader(
  storage: Storage,
  path: string,
): Promise<CurrentHeader | "other" | undefined> {
  if ((await storage.stat(path)) === undefined) return undefined;
  try {
    const found = await readHeader(storage, path);
    return found.format === "current" ? found : "other";
  } catch (error) {
    if (error instanceof NotASession) return "other";
    throw error;
  }
}

async function hashFile(storage: Storage, path: string, size: number): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for (let start = 0; start < size; start += HASH_CHUNK_BYTES) {
    const length = Math.min(HASH_CHUNK_BYTES, size - start);
    hasher.update(await storage.read(path, { start, length }));
  }
  return hasher.digest("hex");
}

export function convertHeader({ header }: LegacyHeader): SessionHeader {
  const { id, timestamp, cwd, parentSession } = header;
  return {
    type: "session",
    version: SESSION_VERSION,
    id: String(id),
    timestamp: typeof timestamp === "string" ? timestamp : new Date(0).toISOString(),
    cwd: typeof cwd === "string" ? cwd : "",
    parentSession: typeof parentSession === "string" ? parentSession : undefined,
  };
}

export interface LegacyReading {
  repairs: LogRepair[];
  missing: MissingImages;
}

export async function* legacyEntries(
  path: string,
  found: LegacyHeader,
  { storage, blobs }: SessionSurroundings,
  { repairs, missing }: LegacyReading,
): AsyncGenerator<SessionEntry> {
  const converter = new LegacyConverter(found.version, found.header);
  yield* converter.title(found.header);
  const images = bothStores(storage, path, blobs);
  let line = 0;
  for await (const raw of linesForward(pathSource(storage, path), 0, found.size)) {
    line += 1;
    if (line === 1 || isBlank(raw)) continue;
    const value = raw.bytes && parseObject(new TextDecoder().decode(raw.bytes));
    if (!value) {
      repairs.push(damagedLine(path, line, raw.end - raw.start));
      continue;
    }
    for (const entry of converter.convert(value)) {
      yield await rehydrateImages(
        entry,
        images,
        ({ hash }) => {
          const text = `An image in ${path} cannot be shown: its data is missing from the blob store (${hash}).`;
          repairs.push({ kind: "missing_blob", message: text });
        },
        missing,
      );
    }
  }
}

function damagedLine(path: string, line: number, bytes: number): LogRepair {
  const message = `Line ${line} of ${path} is damaged (${bytes} bytes) and was skipped.`;
  return { kind: "bad_line", message, line, bytes };
}
