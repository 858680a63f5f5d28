// One writer per session. The lock is a file beside the session that names its holder; the
// lock of a process that is gone is taken over, and of several that try exactly one does.
//
// Taking over: whoever wants to follow the holder with token T creates `<lock>.T`, which
// only one can. It then looks again whether T is still the holder (a slower process may
// have read the lock before a faster one had finished), puts itself into the lock with one
// rename, and removes the claim. A claimant that dies in between is a holder that is gone:
// its own token can be claimed, and so on.

import { basename } from "node:path";
import type { Storage } from "@tau/host/storage";
import { SessionLocked } from "../session-log.ts";
import { createRecord, encodeRecord, readRecord, type LockRecord } from "./lock-record.ts";
import type { Processes } from "./process-identity.ts";
import { removeIfPossible } from "./remove-if-possible.ts";

const LOCK = { point: "session.lock" };
const UNLOCK = { point: "session.unlock" };
/** Each round somebody else was faster; more than this is not a race but a bug. */
const MAX_ROUNDS = 50;
/**
 * A lock that says nothing is one being written, on a file system without links, for as
 * long as that can take; after that it is what a crash left.
 */
const TORN_LOCK_GRACE_MS = 5000;

/** "gone" takes over from holders that are gone; "force" from any. */
export type Takeover = "gone" | "force";

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

export class SessionLock {
  /** Whose lock was taken over. */
  readonly previous: LockRecord | undefined;
  readonly #options: LockOptions;
  readonly #path: string;
  readonly #record: LockRecord;

  private constructor(options: LockOptions, record: LockRecord, previous?: LockRecord) {
    this.#options = options;
    this.#path = lockPathOf(options.sessionPath);
    this.#record = record;
    this.previous = previous;
  }

  /** Throws `SessionLocked` where somebody else holds it. */
  static async acquire(options: LockOptions): Promise<SessionLock> {
    const { storage, processes, now } = options;
    const path = lockPathOf(options.sessionPath);
    const since = new Date(now()).toISOString();
    const record = { ...(await processes.self()), since, token: crypto.randomUUID() };
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const chain = await readChain(options, path);
      const holder = chain.at(-1);
      if (holder === undefined) {
        if (await createRecord(storage, path, record)) return new SessionLock(options, record);
        continue;
      }
      await refuseIfHeld(options, holder);
      if (await takeOver(storage, path, chain, record)) {
        return new SessionLock(options, record, holder);
      }
    }
    throw new Error(`the lock ${path} kept changing hands`);
  }

  /**
   * Before each write: a process that was taken over from must not write any more. The
   * content decides, because a new lock may well be the same inode as the old one.
   */
  async assertHeld(): Promise<void> {
    const { storage, sessionPath } = this.#options;
    const found = await readRecord(storage, this.#path);
    if (found === undefined) {
      // Somebody tidied up. The name is free, so it can be had again, once.
      if (await createRecord(storage, this.#path, this.#record)) return;
      throw lockedBy(sessionPath, await readRecord(storage, this.#path));
    }
    if (found === "torn" || found.token !== this.#record.token) throw lockedBy(sessionPath, found);
  }

  /** Leaves a lock alone that is somebody else's by now. */
  async release(): Promise<void> {
    const { storage } = this.#options;
    const found = await readRecord(storage, this.#path);
    if (found === undefined || found === "torn" || found.token !== this.#record.token) return;
    await storage.remove(this.#path, UNLOCK);
  }
}

/** The lock and the claims upon it: the last one is who holds the session. */
async function readChain(options: LockOptions, path: string): Promise<LockRecord[]> {
  const { storage, now } = options;
  const chain: LockRecord[] = [];
  for (let next = path; chain.length < MAX_ROUNDS;) {
    const found = await readRecord(storage, next);
    if (found === undefined) break;
    if (found !== "torn") {
      chain.push(found);
      next = claimPath(path, found);
      continue;
    }
    const stat = await storage.stat(next);
    if (stat && now() - stat.modifiedMs < TORN_LOCK_GRACE_MS) {
      throw lockedBy(options.sessionPath, "torn");
    }
    if (stat) await storage.remove(next, LOCK);
  }
  return chain;
}

function claimPath(path: string, holder: LockRecord): string {
  return `${path}.${basename(holder.token)}`;
}

async function refuseIfHeld(options: LockOptions, holder: LockRecord): Promise<void> {
  if (options.takeover === "force") return;
  const state = await options.processes.stateOf(holder);
  if (state !== "gone") throw lockedBy(options.sessionPath, holder);
}

async function takeOver(
  storage: Storage,
  path: string,
  chain: readonly LockRecord[],
  record: LockRecord,
): Promise<boolean> {
  const claim = claimPath(path, chain.at(-1)!);
  if (!(await createRecord(storage, claim, record))) return false;
  try {
    if (!(await chainIs(storage, path, chain))) {
      await removeIfPossible(storage, claim, LOCK);
      return false;
    }
    await storage.replace(path, encodeRecord(record), LOCK);
  } catch (error) {
    // A claim of a living process would lock everyone out, this process included.
    await removeIfPossible(storage, claim, LOCK);
    throw error;
  }
  for (const holder of chain) await removeIfPossible(storage, claimPath(path, holder), LOCK);
  return true;
}

async function chainIs(
  storage: Storage,
  path: string,
  chain: readonly LockRecord[],
): Promise<boolean> {
  let at = path;
  for (const holder of chain) {
    const found = await readRecord(storage, at);
    if (found === undefined || found === "torn" || found.token !== holder.token) return false;
    at = claimPath(path, holder);
  }
  return true;
}

function lockedBy(sessionPath: string, holder: LockRecord | "torn" | undefined): SessionLocked {
  if (holder === undefined || holder === "torn") {
    const nobody = { pid: 0, host: "unknown", since: "unknown" };
    return new SessionLocked(
      `${sessionPath} is being locked by another process. Try again in a moment.`,
      nobody,
    );
  }
  const { pid, host, since } = holder;
  return new SessionLocked(
    `${sessionPath} is in use by process ${pid} on ${host} since ${since}. ` +
      `Close it there, fork it, or remove ${lockPathOf(sessionPath)} if that process is gone.`,
    { pid, host, since },
  );
}
