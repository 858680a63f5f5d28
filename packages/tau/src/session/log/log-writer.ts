// Group commit: what is appended while one commit is under way shares the next, so that a
// burst costs one write and one sync. Each append is acknowledged on its own, in order;
// when a commit fails, everything that was waiting fails with it, because it was meant to
// follow what is not there.

import type { Blob, BlobStore } from "./blob-store.ts";
import { SessionClosed } from "./log-error.ts";
import type { LogFile } from "./log-file.ts";

/** One commit's bytes are joined in memory; a burst beyond this takes several. */
const MAX_COMMIT_BYTES = 8 * 1024 * 1024;

export interface PendingWrite {
  /** Whole lines. */
  bytes: Uint8Array;
  /** To be stored before. */
  blobs: readonly Blob[];
  /** Runs when the bytes are durable, before anybody is told. */
  onDurable: () => void;
}

interface Waiting extends PendingWrite {
  resolve: () => void;
  reject: (error: unknown) => void;
}

export class LogWriter {
  readonly #file: LogFile;
  readonly #blobs: BlobStore | undefined;
  readonly #onFailure: () => void;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  /** `onFailure` runs when what was waiting is given up, before anybody is told. */
  constructor(file: LogFile, blobs: BlobStore | undefined, onFailure: () => void) {
    this.#file = file;
    this.#blobs = blobs;
    this.#onFailure = onFailure;
  }

  write(pending: PendingWrite): Promise<void> {
    if (this.#closing) return Promise.reject(new SessionClosed());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...pending, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Waits for what was appended before. */
  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    await this.#draining;
    await this.#file.close();
  }

  async #drain(): Promise<void> {
    // Whoever appends in the same moment shares the first commit too.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#commit(this.#take());
    this.#draining = undefined;
  }

  #take(): Waiting[] {
    let bytes = 0;
    const count = this.#waiting.findIndex((item, index) => {
      bytes += item.bytes.length;
      return index > 0 && bytes > MAX_COMMIT_BYTES;
    });
    return this.#waiting.splice(0, count < 0 ? this.#waiting.length : count);
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    try {
      for (const blob of group.flatMap((item) => item.blobs)) await this.#blobs?.put(blob);
      await this.#file.commit(Buffer.concat(group.map((item) => item.bytes)));
    } catch (error) {
      const lost = [...group, ...this.#waiting];
      this.#waiting = [];
      this.#onFailure();
      for (const item of lost) item.reject(error);
      return;
    }
    for (const item of group) {
      item.onDurable();
      item.resolve();
    }
  }
}
