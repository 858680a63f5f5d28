// One process at a time for a read and a write that belong together. The lock is the operating
// system's own, taken through SQLite on a file beside what it guards: whoever dies gives it back.

const WAIT_MS = 15_000;
/** SQLite waits in place; longer would hold up everything else in this process. */
const PATIENCE_MS = 20;
const POLL_MS = 5;

export class LockTimeout extends Error {
  override readonly name = "LockTimeout";
}

/** Within this process callers wait for one another, not for the lock. */
const queues = new Map<string, Promise<unknown>>();

export function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(path) ?? Promise.resolve();
  const turn = before.then(
    () => locked(path, work),
    () => locked(path, work),
  );
  queues.set(path, turn);
  const leave = (): void => {
    if (queues.get(path) === turn) queues.delete(path);
  };
  turn.then(leave, leave);
  return turn;
}

async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { Database } = await import("bun:sqlite");
  const lock = new Database(`${path}.lock`, { create: true });
  try {
    lock.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
    const deadline = performance.now() + WAIT_MS;
    while (!isTaken(lock)) {
      if (performance.now() > deadline) {
        throw new LockTimeout(`Another process has been writing ${path} for too long; try again.`);
      }
      await Bun.sleep(POLL_MS + Math.random() * POLL_MS);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function isTaken(lock: { run(sql: string): unknown }): boolean {
  try {
    lock.run("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY")) return false;
    throw error;
  }
}
