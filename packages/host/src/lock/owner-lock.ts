// One owner for as long as it likes: a file that names the process that has something. It is
// refused at once, with the owner's name; what a process that is gone has owned is taken over,
// and of several that try exactly one does. (`file-lock.ts` is for the milliseconds of a read
// and a write: nobody is named there, others wait, and the kernel gives it back.)
//
// Taking over: whoever wants to follow the owner with token T creates `<lock>.T`, which
// only one can. It then looks again whether T is still the owner (a slower process may
// have read the lock before a faster one had finished), puts itself into the lock with one
// rename, and removes the claim. A claimant that dies in between is an owner that is gone:
// its own token can be claimed, and so on.

import { basename } from "node:path";
import type { WriteOptions } from "../append-file.ts";
import { removeIfPossible } from "../remove-if-possible.ts";
import type { Storage } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import { createRecord, encodeRecord, readRecord, type LockRecord } from "./lock-record.ts";
import type { Processes } from "./process-identity.ts";

/** Each round somebody else was faster; more than this is not a race but a bug. */
const MAX_ROUNDS = 50;
/**
 * A lock that says nothing is one being written, on a file system without links, for as
 * long as that can take; after that it is what a crash left.
 */
const TORN_LOCK_GRACE_MS = 5000;

/** "gone" takes over from owners that are gone; "force" from any. */
export type Takeover = "gone" | "force";

export interface OwnerLockOptions {
  storage: Storage;
  /** The lock's own file. */
  path: string;
  processes: Processes;
  takeover: Takeover;
  now: () => number;
  /** The names of the writes. */
  points: { lock: WriteOptions; unlock: WriteOptions };
}

/** Somebody else has it; undefined if it is not known yet who. */
export class LockHeld extends Error {
  override readonly name = "LockHeld";
  readonly owner: LockRecord | undefined;

  constructor(path: string, owner: LockRecord | undefined) {
    const who = owner === undefined ? "another process" : `process ${owner.pid} on ${owner.host}`;
    super(`${path} is held by ${who}`);
    this.owner = owner;
  }
}

export class OwnerLock {
  /** Whose lock was taken over. */
  readonly previous: LockRecord | undefined;
  readonly #options: OwnerLockOptions;
  readonly #record: LockRecord;

  private constructor(options: OwnerLockOptions, record: LockRecord, previous?: LockRecord) {
    this.#options = options;
    this.#record = record;
    this.previous = previous;
  }

  /** Throws `LockHeld`. */
  static async acquire(options: OwnerLockOptions): Promise<OwnerLock> {
    const { storage, path, processes, now, points } = options;
    const since = new Date(now()).toISOString();
    const record = { ...(await processes.self()), since, token: crypto.randomUUID() };
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const chain = await readChain(options);
      const owner = chain.at(-1);
      if (owner === undefined) {
        const isOurs = await createRecord(storage, path, record, points.lock);
        if (isOurs) return new OwnerLock(options, record);
        continue;
      }
      await refuseIfHeld(options, owner);
      if (await takeOver(options, chain, record)) return new OwnerLock(options, record, owner);
    }
    throw new Error(`the lock ${path} kept changing hands`);
  }

  /**
   * Before each write: a process that was taken over from must not write any more. The
   * content decides, because a new lock may well be the same inode as the old one.
   * Throws `LockHeld`.
   */
  async assertHeld(): Promise<void> {
    const { storage, path, points } = this.#options;
    const found = await readRecord(storage, path);
    if (found === undefined) {
      // Somebody tidied up. The name is free, so it can be had again, once.
      if (await createRecord(storage, path, this.#record, points.lock)) return;
      throw heldBy(path, await readRecord(storage, path));
    }
    if (found === "torn" || found.token !== this.#record.token) throw heldBy(path, found);
  }

  /** True if `assertHeld` would find nothing to do; false also if that cannot be told. */
  async isSurelyHeld(): Promise<boolean> {
    const { storage, path } = this.#options;
    try {
      const found = await readRecord(storage, path);
      return found !== undefined && found !== "torn" && found.token === this.#record.token;
    } catch (error) {
      if (error instanceof StorageError) return false;
      throw error;
    }
  }

  /** Leaves a lock alone that is somebody else's by now. */
  async release(): Promise<void> {
    const { storage, path, points } = this.#options;
    const found = await readRecord(storage, path);
    if (found === undefined || found === "torn" || found.token !== this.#record.token) return;
    await storage.remove(path, points.unlock);
  }
}

/** The lock and the claims upon it: the last one is who owns it. */
async function readChain({ storage, path, now, points }: OwnerLockOptions): Promise<LockRecord[]> {
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
    // A clock that was set back makes it one of the future; it is no younger for that.
    if (stat && Math.abs(now() - stat.modifiedMs) < TORN_LOCK_GRACE_MS) throw heldBy(path, "torn");
    if (stat) await storage.remove(next, points.lock);
  }
  return chain;
}

function claimPath(path: string, owner: LockRecord): string {
  return `${path}.${basename(owner.token)}`;
}

async function refuseIfHeld(options: OwnerLockOptions, owner: LockRecord): Promise<void> {
  if (options.takeover === "force") return;
  const state = await options.processes.stateOf(owner);
  if (state !== "gone") throw heldBy(options.path, owner);
}

async function takeOver(
  { storage, path, points }: OwnerLockOptions,
  chain: readonly LockRecord[],
  record: LockRecord,
): Promise<boolean> {
  const claim = claimPath(path, chain.at(-1)!);
  if (!(await createRecord(storage, claim, record, points.lock))) return false;
  try {
    if (!(await chainIs(storage, path, chain))) {
      await removeIfPossible(storage, claim, points.lock);
      return false;
    }
    await storage.replace(path, encodeRecord(record), points.lock);
  } catch (error) {
    // A claim of a living process would lock everyone out, this process included.
    await removeIfPossible(storage, claim, points.lock);
    throw error;
  }
  for (const owner of chain) await removeIfPossible(storage, claimPath(path, owner), points.lock);
  return true;
}

async function chainIs(
  storage: Storage,
  path: string,
  chain: readonly LockRecord[],
): Promise<boolean> {
  let at = path;
  for (const owner of chain) {
    const found = await readRecord(storage, at);
    if (found === undefined || found === "torn" || found.token !== owner.token) return false;
    at = claimPath(path, owner);
  }
  return true;
}

function heldBy(path: string, owner: LockRecord | "torn" | undefined): LockHeld {
  return new LockHeld(path, owner === "torn" ? undefined : owner);
}
