// One process at a time for a read and a write that belong together. The lock is the operating
// system's own, taken through SQLite on a file beside what it guards: whoever dies gives it back.

import { StorageError } from "../storage-error.ts";

const WAIT_MS = 15_000;
/** SQLite waits in place; longer would hold up everything else in this process. */
const PATIENCE_MS = 20;
const POLL_MS = 5;

/** What SQLite says of places where a file cannot be opened or locked. */
const UNUSABLE: Readonly<Record<string, string>> = {
  SQLITE_CANTOPEN: "EACCES",
  SQLITE_READONLY: "EROFS",
  SQLITE_PERM: "EACCES",
  SQLITE_IOERR: "EIO",
  SQLITE_FULL: "ENOSPC",
};

export interface FileLockOptions {
  signal?: AbortSignal | undefined;
  /** How long others may take before it is given up. */
  waitMs?: number | undefined;
}

/** Others have held it for longer than was to be waited. */
export class LockTimeout extends Error {
  override readonly name = "LockTimeout";
}

/** Within this process callers wait for one another, not for the lock. */
const queues = new Map<string, Promise<void>>();

/** For what is in the file at `path`. Rejects with `LockTimeout` and `StorageError`. */
export function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  options: FileLockOptions = {},
): Promise<T> {
  return withLockFile(`${path}.lock`, work, options);
}

/** The lock's own file is named. */
export async function withLockFile<T>(
  lockPath: string,
  work: () => Promise<T>,
  { signal, waitMs = WAIT_MS }: FileLockOptions = {},
): Promise<T> {
  const deadline = performance.now() + waitMs;
  const before = queues.get(lockPath) ?? Promise.resolve();
  const own = Promise.withResolvers<void>();
  const turn = before.then(() => own.promise);
  queues.set(lockPath, turn);
  void turn.then(() => {
    if (queues.get(lockPath) === turn) queues.delete(lockPath);
  });
  try {
    await comeToTurn(before, lockPath, { signal, waitMs });
    return await locked(lockPath, work, { signal, deadline });
  } finally {
    own.resolve();
  }
}

async function comeToTurn(
  before: Promise<void>,
  lockPath: string,
  { signal, waitMs }: { signal: AbortSignal | undefined; waitMs: number },
): Promise<void> {
  signal?.throwIfAborted();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(timeout(lockPath)), waitMs);
  const onAbort = (): void => late.reject(signal!.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([before, late.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

async function locked<T>(
  lockPath: string,
  work: () => Promise<T>,
  { signal, deadline }: { signal: AbortSignal | undefined; deadline: number },
): Promise<T> {
  const { Database } = await import("bun:sqlite");
  const lock = attempt(lockPath, () => new Database(lockPath, { create: true }));
  try {
    lock.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
    while (!attempt(lockPath, () => isTaken(lock))) {
      signal?.throwIfAborted();
      if (performance.now() >= deadline) throw timeout(lockPath);
      await Bun.sleep(POLL_MS + Math.random() * POLL_MS);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function timeout(lockPath: string): LockTimeout {
  return new LockTimeout(`Another process has held ${lockPath} for too long; try again.`);
}

function isTaken(lock: { run(sql: string): unknown }): boolean {
  try {
    // Nothing is ever written, so that no file is needed to roll back to either.
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY")) return false;
    throw error;
  }
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const code = UNUSABLE[(cause as { code?: string }).code ?? ""];
    if (code === undefined) throw cause;
    throw new StorageError({ code, path, operation: "open", cause });
  }
}
