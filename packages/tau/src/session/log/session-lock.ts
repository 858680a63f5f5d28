// One writer per session: its owner is named in a file beside it. What is refused is told in
// the words of a session.

import { readRecord, type LockRecord } from "@tau/host/lock/lock-record";
import { LockHeld, OwnerLock, type Takeover } from "@tau/host/lock/owner-lock";
import type { Processes } from "@tau/host/lock/process-identity";
import type { Storage } from "@tau/host/storage";
import { SessionLocked } from "../session-log.ts";

const POINTS = { lock: { point: "session.lock" }, unlock: { point: "session.unlock" } };

export interface LockOptions {
  storage: Storage;
  sessionPath: string;
  processes: Processes;
  takeover: Takeover;
  now: () => number;
}

export function lockPathOf(sessionPath: string): string {
  return `${sessionPath}.lock`;
}

/** Whether a process that still runs, or may run, has it; nothing is taken or changed. */
export async function isLocked(
  sessionPath: string,
  { storage, processes }: Pick<LockOptions, "storage" | "processes">,
): Promise<boolean> {
  const record = await readRecord(storage, lockPathOf(sessionPath));
  if (record === undefined || record === "torn") return false;
  return (await processes.stateOf(record)) !== "gone";
}

export class SessionLock {
  readonly #sessionPath: string;
  readonly #lock: OwnerLock;

  private constructor(sessionPath: string, lock: OwnerLock) {
    this.#sessionPath = sessionPath;
    this.#lock = lock;
  }

  /** Throws `SessionLocked` where somebody else holds it. */
  static async acquire({ sessionPath, ...options }: LockOptions): Promise<SessionLock> {
    const path = lockPathOf(sessionPath);
    const lock = await inWords(sessionPath, () =>
      OwnerLock.acquire({ ...options, path, points: POINTS }),
    );
    return new SessionLock(sessionPath, lock);
  }

  /** Whose lock was taken over. */
  get previous(): LockRecord | undefined {
    return this.#lock.previous;
  }

  /** Before each write. Throws `SessionLocked` where it has been taken over. */
  assertHeld(): Promise<void> {
    return inWords(this.#sessionPath, () => this.#lock.assertHeld());
  }

  /** True if `assertHeld` would find nothing to do; false also if that cannot be told. */
  isSurelyHeld(): Promise<boolean> {
    return this.#lock.isSurelyHeld();
  }

  /** Leaves a lock alone that is somebody else's by now. */
  release(): Promise<void> {
    return this.#lock.release();
  }
}

async function inWords<T>(sessionPath: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    throw lockedBy(sessionPath, error.owner);
  }
}

function lockedBy(sessionPath: string, owner: LockRecord | undefined): SessionLocked {
  if (owner === undefined) {
    const nobody = { pid: 0, host: "unknown", since: "unknown" };
    return new SessionLocked(
      `${sessionPath} is being locked by another process. Try again in a moment.`,
      nobody,
    );
  }
  const { pid, host, since } = owner;
  return new SessionLocked(
    `${sessionPath} has been in use by process ${pid} on ${host} since ${since}. ` +
      `Close it there, fork it, or remove ${lockPathOf(sessionPath)} if that process no longer runs.`,
    { pid, host, since },
  );
}
