// The three ways to a session's log: open a file, create one, or have one in memory.

import { dirname, join } from "node:path";
import type { Takeover } from "@tau/host/lock/owner-lock";
import { systemProcesses } from "@tau/host/lock/process-identity";
import { resolveLinks } from "@tau/host/replace-file";
import { SESSION_VERSION, type SessionEntry, type SessionHeader } from "../entry.ts";
import type { LogRepair, SessionLog } from "../session-log.ts";
import { createSessionId } from "./entry-id.ts";
import { MemoryLog } from "./memory-log.ts";
import { openForReading, openForWriting, type CurrentHeader } from "./open-durable.ts";
import { readHeader } from "./read-header.ts";
import { SessionLock } from "./session-lock.ts";
import { sessionFileName } from "./session-path.ts";
import type { SessionSurroundings } from "./session-surroundings.ts";
import { writeSessionFile, type SomeEntries } from "./write-session.ts";

const DIRECTORY = { point: "session.directory" };

export interface OpenSessionOptions extends SessionSurroundings {
  /** "read" changes nothing and needs no lock. */
  mode: "read" | "write";
  /** From whom the lock may be taken; from holders that are gone, where left out. */
  takeover?: Takeover;
  /** What is to be told of it already; the log's own repairs come behind. */
  known?: readonly LogRepair[];
}

/**
 * Throws `NotASession`, `SessionLocked` or `StorageError`. A file of an older format is
 * read as it is; opened for writing, it gets a successor beside it, whose path the log has.
 */
export async function openSession(path: string, options: OpenSessionOptions): Promise<SessionLog> {
  const found = await readHeader(options.storage, path);
  if (found.format === "current")
    return openCurrent(path, found, options, [...(options.known ?? [])]);
  const { migrateSession, viewLegacySession } = await import("./legacy/migrate.ts");
  if (options.mode === "read") return viewLegacySession(path, found, options);
  const successor = await migrateSession(path, found, options);
  const repairs = [...(options.known ?? []), ...successor.repairs];
  return openCurrent(successor.path, successor.found, options, repairs);
}

async function openCurrent(
  path: string,
  found: CurrentHeader,
  options: OpenSessionOptions,
  repairs: LogRepair[],
): Promise<SessionLog> {
  const opening = { path, found, surroundings: options, repairs };
  if (options.mode === "read") return openForReading(opening);
  const lockFor = locking(options, options.takeover ?? "gone");
  return openForWriting(opening, await lockFor(path), lockFor);
}

function locking(
  surroundings: SessionSurroundings,
  takeover: Takeover,
): (sessionPath: string) => Promise<SessionLock> {
  const { storage, processes = systemProcesses(), now = Date.now } = surroundings;
  return async (path) => {
    // Beside the file itself: two links to one session must meet at one lock.
    const sessionPath = await resolveLinks(path);
    return SessionLock.acquire({ storage, sessionPath, processes, takeover, now });
  };
}

/** For what is done to a file as a whole. Throws `SessionLocked`. */
export function lockSession(path: string, surroundings: SessionSurroundings): Promise<SessionLock> {
  return locking(surroundings, "gone")(path);
}

interface SessionOrigin {
  cwd: string;
  parentSession?: string;
  id?: string;
  /** ISO 8601; now, where it is left out. */
  timestamp?: string;
}

export interface CreateSessionOptions extends SessionSurroundings, SessionOrigin {
  /** Where the file goes: a directory in which it gets its usual name, or a path. */
  place: { directory: string } | { path: string };
  /** What it begins with, ids and parents as they are: for forks and branches. */
  entries?: SomeEntries;
}

/** On disk, header and all, when it resolves. EEXIST where the file is there already. */
export async function createSessionLog(options: CreateSessionOptions): Promise<SessionLog> {
  const { storage, blobs, place, entries } = options;
  const header = headerFor(options, options.now);
  const path =
    "path" in place
      ? place.path
      : join(place.directory, sessionFileName(header.timestamp, header.id));
  await storage.makeDirectory(dirname(path), DIRECTORY);
  const lockFor = locking(options, "gone");
  const lock = await lockFor(path);
  let found: CurrentHeader;
  try {
    await writeSessionFile({ storage, path, header, entries, blobs });
    found = (await readHeader(storage, path)) as CurrentHeader;
  } catch (error) {
    await lock.release();
    throw error;
  }
  return openForWriting({ path, found, surroundings: options, repairs: [] }, lock, lockFor);
}

export interface MemorySessionOptions extends SessionOrigin {
  now?: () => number;
  entries?: readonly SessionEntry[];
}

export function createMemorySession(options: MemorySessionOptions): SessionLog {
  const { now = Date.now, entries } = options;
  const header = headerFor(options, now);
  return new MemoryLog({ header, now, entries });
}

function headerFor(
  { cwd, parentSession, id = createSessionId(), timestamp: given }: SessionOrigin,
  now: (() => number) | undefined,
): SessionHeader {
  const timestamp = given ?? new Date((now ?? Date.now)()).toISOString();
  const header: SessionHeader = { type: "session", version: SESSION_VERSION, id, timestamp, cwd };
  if (parentSession !== undefined) header.parentSession = parentSession;
  return header;
}
