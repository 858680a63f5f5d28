// Reads ranges of a file, and copies them to another one, without ever holding more than a
// chunk: an archive may be larger than memory.

import { open, type FileHandle } from "node:fs/promises";
import { realDiskCalls, writeFully } from "../disk-calls.ts";
import { attempt, StorageError } from "../storage-error.ts";
import { corruptArchive } from "./archive-error.ts";

/** Where bytes are read from by ranges. */
export interface ByteRanges {
  /** For messages. */
  readonly path: string;
  readonly size: number;
  /** All of it, or a typed error. */
  read(start: number, length: number): Promise<Uint8Array>;
}

/** Bytes that are at hand already, as from the web. */
export function memoryRanges(path: string, bytes: Uint8Array): ByteRanges {
  return {
    path,
    size: bytes.length,
    async read(start, length) {
      if (start < 0 || length < 0 || start + length > bytes.length) {
        throw corruptArchive(path, "it ends before its members do");
      }
      return bytes.slice(start, start + length);
    },
  };
}

const COPY_CHUNK_BYTES = 1024 * 1024;

export class FileRanges implements ByteRanges, AsyncDisposable {
  readonly path: string;
  readonly size: number;
  readonly #handle: FileHandle;

  private constructor(path: string, size: number, handle: FileHandle) {
    this.path = path;
    this.size = size;
    this.#handle = handle;
  }

  static open(path: string): Promise<FileRanges> {
    return attempt("open", path, async () => {
      const handle = await open(path, "r");
      try {
        const found = await handle.stat();
        if (!found.isFile()) {
          const code = found.isDirectory() ? "EISDIR" : "EINVAL";
          throw new StorageError({ code, path, operation: "open" });
        }
        return new FileRanges(path, found.size, handle);
      } catch (error) {
        await handle.close();
        throw error;
      }
    });
  }

  /** All of it, or a typed error: a range that is not there is a damaged archive. */
  async read(start: number, length: number): Promise<Uint8Array> {
    if (start < 0 || length < 0 || start + length > this.size) {
      throw corruptArchive(this.path, "it ends before its members do");
    }
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await attempt("read", this.path, () =>
        this.#handle.read(bytes, filled, length - filled, start + filled),
      );
      if (bytesRead === 0) throw corruptArchive(this.path, "it became shorter while it was read");
      filled += bytesRead;
    }
    return bytes;
  }

  async copy(
    start: number,
    length: number,
    target: FileHandle,
    signal: AbortSignal,
  ): Promise<void> {
    for (let done = 0; done < length; done += COPY_CHUNK_BYTES) {
      signal.throwIfAborted();
      const chunk = await this.read(start + done, Math.min(COPY_CHUNK_BYTES, length - done));
      await writeFully(realDiskCalls, target, chunk);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}
