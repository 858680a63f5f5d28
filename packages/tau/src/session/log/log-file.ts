// The open file of a session that is being written, and the promise that what was
// acknowledged stays: it cuts off what a failed write left, notices when the file under
// its name is gone or another one, and then writes it anew from the handle it still has.

import { dirname } from "node:path";
import type { AppendFile } from "@tau/host/append-file";
import { publishFile } from "@tau/host/publish-file";
import { removeIfPossible } from "@tau/host/remove-if-possible";
import { temporaryPathFor } from "@tau/host/replace-file";
import type { Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import type { LogRepair } from "../session-log.ts";
import { NEWLINE } from "./line.ts";
import { SessionChanged } from "./log-error.ts";
import { copyToNewFile } from "./copy-file.ts";
import type { SessionLock } from "./session-lock.ts";

const APPEND = { point: "session.append" };
const SYNC = { point: "session.sync" };
const REPAIR = { point: "session.repair" };
const RECREATE = { point: "session.recreate" };

/** Siblings tried before giving up; each would have to be taken by another recovery. */
const MAX_RECOVERED = 100;

export interface LogFileOptions {
  storage: Storage;
  path: string;
  lock: SessionLock;
  /** A lock for another name, should the file have to move there. */
  lockFor: (path: string) => Promise<SessionLock>;
  report: (repair: LogRepair) => void;
}

export class LogFile {
  readonly #storage: Storage;
  readonly #lockFor: LogFileOptions["lockFor"];
  readonly #report: LogFileOptions["report"];
  #path: string;
  #lock: SessionLock;
  #file: AppendFile;
  #identity: string;
  /** Acknowledged bytes. */
  #size = 0;
  /** What may follow them, after a failure: nothing is appended before it is cut. */
  #leftover: "none" | "appended" | "unsynced" = "none";
  #changed: SessionChanged | undefined;

  private constructor(options: LogFileOptions, file: AppendFile, identity: string) {
    this.#storage = options.storage;
    this.#lockFor = options.lockFor;
    this.#report = options.report;
    this.#path = options.path;
    this.#lock = options.lock;
    this.#file = file;
    this.#identity = identity;
  }

  static async open(options: LogFileOptions): Promise<LogFile> {
    const file = await options.storage.open(options.path, {});
    try {
      return new LogFile(options, file, await file.identity());
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get path(): string {
    return this.#path;
  }

  get file(): AppendFile {
    return this.#file;
  }

  /**
   * What an earlier process left: cuts the file to the bytes that count, or ends its last
   * line. Returns the size from which it goes on.
   */
  async mend(size: number, lineEnd: "present" | "missing"): Promise<number> {
    if ((await this.#file.size()) > size) {
      await this.#file.truncate(size, REPAIR);
      await this.#file.sync(REPAIR);
    }
    this.#size = size;
    if (lineEnd === "missing") {
      await this.#file.append(Uint8Array.of(NEWLINE), REPAIR);
      await this.#file.sync(REPAIR);
      this.#size += 1;
    }
    return this.#size;
  }

  /** Durable, under this session's name, when it resolves; otherwise not there at all. */
  async commit(bytes: Uint8Array): Promise<void> {
    if (this.#changed) throw this.#changed;
    if (this.#leftover !== "none") await this.#restore();
    if (!(await this.#isAsLeft())) {
      await this.#keepName(this.#size);
      await this.#lock.assertHeld();
    }
    try {
      this.#leftover = "appended";
      await this.#file.append(bytes, APPEND);
      this.#leftover = "unsynced";
      await this.#file.sync(SYNC);
      this.#leftover = "appended";
      await this.#keepName(this.#size + bytes.length);
    } catch (error) {
      await this.#restoreIfPossible(error);
      throw error;
    }
    this.#size += bytes.length;
    this.#leftover = "none";
  }

  async close(): Promise<void> {
    try {
      if (this.#leftover !== "none" && !this.#changed) await this.#restore();
    } finally {
      try {
        await this.#file.close();
      } finally {
        await this.#lock.release();
      }
    }
  }

  /** Cut now, a refused entry does not turn up later, in another process. */
  async #restoreIfPossible(failure: unknown): Promise<void> {
    if (!(failure instanceof StorageError)) return;
    try {
      await this.#restore();
    } catch (error) {
      // The disk that refused the write refuses this too. It is tried again before the next
      // append, which is when it matters; what explains is the failure on its way up.
      if (!(error instanceof StorageError)) throw error;
    }
  }

  async #restore(): Promise<void> {
    // After a failed sync a handle promises nothing any more, so that the same file is
    // opened again; what was acknowledged had been synced before.
    if (this.#leftover === "unsynced") await this.#reopen();
    await this.#file.truncate(this.#size, REPAIR);
    await this.#file.sync(REPAIR);
    this.#leftover = "none";
  }

  async #reopen(): Promise<void> {
    const stat = await this.#storage.stat(this.#path);
    if (stat?.identity !== this.#identity) return this.#recreate(this.#size, stat !== undefined);
    const file = await this.#storage.open(this.#path, {});
    await this.#use(file);
  }

  async #use(file: AppendFile): Promise<void> {
    const old = this.#file;
    this.#file = file;
    this.#identity = await file.identity();
    await old.close();
  }

  /** Both checks at once, which are most of what a commit costs: what is wrong is found out in order. */
  async #isAsLeft(): Promise<boolean> {
    const [stat, isHeld] = await Promise.all([
      this.#storage.stat(this.#path),
      this.#lock.isSurelyHeld(),
    ]);
    return isHeld && stat?.identity === this.#identity && stat.size === this.#size;
  }

  /** The name still means the open file, which holds `expected` bytes. */
  async #keepName(expected: number): Promise<void> {
    const stat = await this.#storage.stat(this.#path);
    if (stat?.identity !== this.#identity) return this.#recreate(expected, stat !== undefined);
    if (stat.size === expected) return;
    this.#changed = new SessionChanged(this.#path, expected, stat.size);
    throw this.#changed;
  }

  async #recreate(size: number, isTaken: boolean): Promise<void> {
    const before = this.#path;
    await this.#storage.makeDirectory(dirname(before), RECREATE);
    const temporary = temporaryPathFor(before);
    await copyToNewFile(this.#storage, this.#file, temporary, size, RECREATE);
    try {
      if (isTaken || !(await this.#publish(temporary, before))) await this.#moveAside(temporary);
    } finally {
      await removeIfPossible(this.#storage, temporary, RECREATE);
    }
    await this.#use(await this.#storage.open(this.#path, {}));
    const what = isTaken ? "replaced by another file" : "removed";
    const where = this.#path === before ? "under the same name" : `as ${this.#path}`;
    this.#report({
      kind: "recreated",
      message: `${before} was ${what} while in use; the session was saved again ${where}.`,
      bytes: size,
    });
  }

  #publish(temporary: string, path: string): Promise<boolean> {
    return publishFile(this.#storage, temporary, path, RECREATE);
  }

  /** To a sibling, with a lock of its own: whatever has the name now is not ours. */
  async #moveAside(temporary: string): Promise<void> {
    const stem = this.#path.replace(/\.jsonl$/, "");
    for (let count = 1; count <= MAX_RECOVERED; count += 1) {
      const path = `${stem}.recovered${count === 1 ? "" : `-${count}`}.jsonl`;
      if (await this.#publishLocked(temporary, path)) return;
    }
    throw new StorageError({ code: "EEXIST", path: this.#path, operation: "create" });
  }

  async #publishLocked(temporary: string, path: string): Promise<boolean> {
    let lock = await this.#lockFor(path);
    try {
      if (!(await this.#publish(temporary, path))) return false;
      [lock, this.#lock] = [this.#lock, lock];
      this.#path = path;
      return true;
    } finally {
      // The one that is not needed, whichever it turned out to be.
      await lock.release();
    }
  }
}
