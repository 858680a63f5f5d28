// One process at a time changes files through Tau, so that what one has checked is not changed
// by another before it has written. The lock is one of the operating system, held through a
// database file that stays empty: it is gone with its process, however that ends. Whoever holds
// it may also take every journal it finds for one of a dead process.

import { join } from "node:path";
import { StorageError } from "@tau/host/storage-error";
import { FileProblem } from "./file-problem.ts";

const LOCK_FILE = "lock";
/** A change takes milliseconds; a slow disk and many waiting agents are allowed for. */
const MAX_WAIT_MS = 20_000;
const RETRY_MS = 5;

/** What SQLite says of places where a file cannot be opened or locked. */
const UNUSABLE: Readonly<Record<string, string>> = {
  SQLITE_CANTOPEN: "EACCES",
  SQLITE_READONLY: "EROFS",
  SQLITE_PERM: "EACCES",
  SQLITE_IOERR: "EIO",
  SQLITE_FULL: "ENOSPC",
};

export interface LockOptions {
  signal?: AbortSignal | undefined;
  waitMs?: number | undefined;
}

export async function withEditLock<T>(
  directory: string,
  { signal, waitMs = MAX_WAIT_MS }: LockOptions,
  run: () => Promise<T>,
): Promise<T> {
  const { Database } = await import("bun:sqlite");
  const path = join(directory, LOCK_FILE);
  using database = open(() => new Database(path, { create: true, strict: true }), path);
  const deadline = Date.now() + waitMs;
  const lock = () => {
    // Nothing is ever written, so that no file is needed to roll back to either.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("BEGIN EXCLUSIVE");
  };
  while (!tryLock(lock, path)) {
    signal?.throwIfAborted();
    if (Date.now() >= deadline) {
      throw new FileProblem(
        "busy",
        path,
        "Another process is changing files and did not finish in time. Nothing was changed; try again.",
      );
    }
    await Bun.sleep(RETRY_MS * (1 + Math.random()));
  }
  try {
    return await run();
  } finally {
    database.run("ROLLBACK");
  }
}

function open<T>(make: () => T, path: string): T {
  try {
    return make();
  } catch (cause) {
    throw asStorageError(cause, path);
  }
}

function tryLock(lock: () => void, path: string): boolean {
  try {
    lock();
    return true;
  } catch (cause) {
    if ((cause as { code?: string }).code?.startsWith("SQLITE_BUSY")) return false;
    throw asStorageError(cause, path);
  }
}

function asStorageError(cause: unknown, path: string): unknown {
  const code = UNUSABLE[(cause as { code?: string }).code ?? ""];
  return code === undefined ? cause : new StorageError({ code, path, operation: "open", cause });
}
