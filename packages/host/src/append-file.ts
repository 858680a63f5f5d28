// A file that only grows at its end, for logs whose readers tolerate a torn tail. It owns
// the order of calls on one handle: appends land in call order and are never interleaved,
// and a sync covers every append called before it. Group commit is the caller's: append
// many, sync once.

import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { PartialWrite, syncDirectory, writeFully, type DiskCalls } from "./disk-calls.ts";
import { attempt, StorageError, systemCode, type StorageOperation } from "./storage-error.ts";

export interface WriteOptions {
  /** The name of this write, for example "session.append"; tests break exactly this one. */
  point: string;
}

export interface AppendFile extends AsyncDisposable {
  readonly path: string;
  /** Whether opening it created the file. */
  readonly created: boolean;
  /**
   * On failure `StorageError.written` says how many of the bytes landed. From then on, and
   * for appends that were already waiting, it is refused until `truncate` has set the end:
   * an entry must not follow a torn or missing one.
   */
  append(bytes: Uint8Array, options: WriteOptions): Promise<void>;
  /** When it resolves, everything appended before survives a power loss. */
  sync(options: WriteOptions): Promise<void>;
  /** Cuts the file to `size` bytes; not durable before the next sync. */
  truncate(size: number, options: WriteOptions): Promise<void>;
  size(): Promise<number>;
  /**
   * At most `length` bytes from `start`, of the open file itself: also when its name is gone
   * or means another file by now.
   */
  read(start: number, length: number): Promise<Uint8Array>;
  /** Equal to the `identity` of `Storage.stat(path)` as long as the path means this file. */
  identity(): Promise<string>;
  /** Waits for pending calls; closing twice is fine. It does not sync. */
  close(): Promise<void>;
}

/** What tells one file from another under the same name. */
export function identityOf(stat: { dev: bigint; ino: bigint }): string {
  return `${stat.dev}:${stat.ino}`;
}

// Two processes that create and remove the same file in turn could make us alternate
// between "missing" and "exists"; more rounds than this is not a race but a bug.
const OPEN_ATTEMPTS = 10;

interface OpenedHandle {
  handle: FileHandle;
  created: boolean;
}

// Opening first without O_CREAT tells whether the file is new, and so whether its
// directory entry needs a sync.
async function openOrCreate(path: string, mode: number): Promise<OpenedHandle> {
  const flags = constants.O_RDWR | constants.O_APPEND;
  for (let round = 1; ; round += 1) {
    try {
      return { handle: await open(path, flags), created: false };
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
    try {
      const exclusive = flags | constants.O_CREAT | constants.O_EXCL;
      return { handle: await open(path, exclusive, mode), created: true };
    } catch (error) {
      if (systemCode(error) !== "EEXIST" || round >= OPEN_ATTEMPTS) throw error;
    }
  }
}

async function openExisting(path: string): Promise<OpenedHandle> {
  return { handle: await open(path, constants.O_RDWR | constants.O_APPEND), created: false };
}

export async function openAppendFile(
  calls: DiskCalls,
  path: string,
  create: { mode: number } | undefined,
): Promise<AppendFile> {
  const opened = await attempt("open", path, async () => {
    const result = create ? await openOrCreate(path, create.mode) : await openExisting(path);
    if (!result.created) return result;
    try {
      await syncDirectory(calls, dirname(path));
    } catch (error) {
      await result.handle.close();
      throw error;
    }
    return result;
  });
  return new DiskAppendFile(calls, path, opened);
}

async function readFully(handle: FileHandle, start: number, length: number): Promise<Uint8Array> {
  const { size } = await handle.stat();
  const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
  let filled = 0;
  while (filled < buffer.length) {
    const room = buffer.length - filled;
    const { bytesRead } = await handle.read(buffer, filled, room, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

class DiskAppendFile implements AppendFile {
  readonly path: string;
  readonly created: boolean;
  readonly #calls: DiskCalls;
  readonly #handle: FileHandle;
  #closed = false;
  #appendFailure: StorageError | undefined;
  #syncFailure: StorageError | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(calls: DiskCalls, path: string, opened: OpenedHandle) {
    this.#calls = calls;
    this.path = path;
    this.#handle = opened.handle;
    this.created = opened.created;
  }

  append(bytes: Uint8Array, _options: WriteOptions): Promise<void> {
    return this.#queue("append", async () => {
      this.#refuseAfter(this.#syncFailure ?? this.#appendFailure, "append");
      try {
        await writeFully(this.#calls, this.#handle, bytes);
      } catch (cause) {
        if (!(cause instanceof PartialWrite)) throw cause;
        const { code, written } = cause;
        const failure = { code, path: this.path, operation: "append", written, cause } as const;
        this.#appendFailure = new StorageError(failure);
        throw this.#appendFailure;
      }
    });
  }

  sync(_options: WriteOptions): Promise<void> {
    return this.#queue("sync", async () => {
      // After a failed fsync the kernel may drop the dirty pages and report success next
      // time, although the bytes never reached the disk. Only reopening and reading tells.
      this.#refuseAfter(this.#syncFailure, "sync");
      try {
        await attempt("sync", this.path, () => this.#calls.datasync(this.#handle));
      } catch (error) {
        if (error instanceof StorageError) this.#syncFailure = error;
        throw error;
      }
    });
  }

  truncate(size: number, _options: WriteOptions): Promise<void> {
    return this.#queue("truncate", async () => {
      await this.#handle.truncate(size);
      this.#appendFailure = undefined;
    });
  }

  size(): Promise<number> {
    return this.#queue("measure", async () => (await this.#handle.stat()).size);
  }

  read(start: number, length: number): Promise<Uint8Array> {
    return this.#queue("read", () => readFully(this.#handle, start, length));
  }

  identity(): Promise<string> {
    return this.#queue("stat", async () => identityOf(await this.#handle.stat({ bigint: true })));
  }

  async close(): Promise<void> {
    if (this.#closed) {
      await this.#last;
      return;
    }
    const closing = this.#queue("close", () => this.#handle.close());
    this.#closed = true;
    await closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #refuseAfter(earlier: StorageError | undefined, operation: StorageOperation): void {
    if (!earlier) return;
    throw new StorageError({ code: earlier.code, path: this.path, operation, cause: earlier });
  }

  #queue<T>(operation: StorageOperation, run: () => Promise<T>): Promise<T> {
    if (this.#closed) {
      return Promise.reject(new StorageError({ code: "EBADF", path: this.path, operation }));
    }
    const next = this.#last.then(() => attempt(operation, this.path, run));
    // The queue only keeps the order; whoever called gets the failure through `next`.
    this.#last = next.then(
      () => undefined,
      () => undefined,
    );
    return next;
  }
}
