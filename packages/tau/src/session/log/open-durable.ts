// Opens a session file of the current format: takes the lock, mends the end of the file and
// finds the position, reading no more than that needs.

import type { LockRecord } from "@tau/host/lock/lock-record";
import type { LogRepair } from "../session-log.ts";
import { fileSource, pathSource } from "./byte-source.ts";
import { DurableLog } from "./durable-log.ts";
import { findPosition } from "./find-position.ts";
import { LogFile, type LogFileOptions } from "./log-file.ts";
import { LogReader } from "./log-reader.ts";
import type { FoundHeader } from "./read-header.ts";
import { readTail, type Tail } from "./read-tail.ts";
import type { SessionLock } from "./session-lock.ts";
import type { SessionSurroundings } from "./session-surroundings.ts";

export type CurrentHeader = Extract<FoundHeader, { format: "current" }>;

/** Up to here a whole look costs a few milliseconds, and every damage is known at once. */
const EAGER_INDEX_BYTES = 1024 * 1024;

interface Opening {
  path: string;
  found: CurrentHeader;
  surroundings: SessionSurroundings;
  /** What is known already, and where the rest is noted. */
  repairs: LogRepair[];
}

export async function openForReading(opening: Opening): Promise<DurableLog> {
  const { path, found, surroundings, repairs } = opening;
  const { dataStart } = found;
  const source = pathSource(surroundings.storage, path);
  const tail = await readTail(source, dataStart, found.size);
  const { size } = tail;
  const reader = new LogReader({ ...surroundings, source, dataStart, size, path, repairs });
  if (tail.tornBytes > 0) reader.report("tail", tornTail(path, tail, "was ignored"));
  return finish(opening, reader, tail, undefined);
}

/** The lock is released when this fails, and belongs to the log when it succeeds. */
export async function openForWriting(
  opening: Opening,
  lock: SessionLock,
  lockFor: (sessionPath: string) => Promise<SessionLock>,
): Promise<DurableLog> {
  const { path, found, surroundings, repairs } = opening;
  const { storage } = surroundings;
  const report = (repair: LogRepair): void => void repairs.push(repair);
  const file = await openLocked({ storage, path, lock, lockFor, report });
  try {
    const source = fileSource(() => file.file);
    // Measured under the lock: whoever held it before may have written until then.
    const tail = await readTail(source, found.dataStart, await file.file.size());
    const lineEnd = tail.lacksLineEnd || found.lacksLineEnd ? "missing" : "present";
    const size = await file.mend(tail.size, lineEnd);
    const dataStart = found.dataStart + (found.lacksLineEnd ? 1 : 0);
    const reader = new LogReader({ ...surroundings, source, dataStart, size, path, repairs });
    if (lock.previous) reader.report("lock", lockTaken(path, lock.previous));
    if (tail.tornBytes > 0) reader.report("tail", tornTail(path, tail, "was removed"));
    if (lineEnd === "missing") reader.report("line end", lineEndAdded(path));
    return await finish(opening, reader, tail, file);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openLocked(options: LogFileOptions): Promise<LogFile> {
  try {
    return await LogFile.open(options);
  } catch (error) {
    await options.lock.release();
    throw error;
  }
}

async function finish(
  { path, found, surroundings }: Opening,
  reader: LogReader,
  tail: Tail,
  file: LogFile | undefined,
): Promise<DurableLog> {
  const { storage, blobs, now = Date.now, eagerIndexBytes = EAGER_INDEX_BYTES } = surroundings;
  if (found.damaged) reader.reportDamage({ line: 1, bytes: found.dataStart });
  for (const damage of tail.damaged) reader.reportDamage(damage);
  if (reader.size <= eagerIndexBytes) await reader.index();
  const position = await findPosition(reader, tail, reader.size);
  const lastId = tail.last?.entry.id;
  return new DurableLog({
    header: found.header,
    path,
    reader,
    file,
    blobs,
    position,
    lastId,
    now,
    rescue: async (branch) => {
      const { rescueSession } = await import("./rescue-session.ts");
      const { header } = found;
      return rescueSession({ storage, blobs, header, path, entries: branch, now });
    },
  });
}

function tornTail(path: string, tail: Tail, outcome: string): LogRepair {
  const { tornBytes: bytes, tornEntries } = tail;
  const entries =
    tornEntries === 0 ? "" : `, with ${tornEntries} of several entries that belong together`;
  const message = `The last write to ${path} was incomplete; the partial write (${bytes} bytes${entries}) ${outcome}.`;
  return { kind: "torn_tail", message, bytes };
}

function lineEndAdded(path: string): LogRepair {
  const message = `The last line of ${path} had no newline at its end; it was added.`;
  return { kind: "torn_tail", message, bytes: 0 };
}

function lockTaken(path: string, { pid, host, since }: LockRecord): LogRepair {
  const message = `The stale lock of ${path} was taken over: process ${pid} on ${host}, which held it since ${since}, no longer runs.`;
  return { kind: "lock_taken", message };
}
