// The few raw calls whose failure modes no test can provoke on a healthy disk (a short
// write, a failing fsync). The rest of the storage reaches them through this seam only.

import { open, type FileHandle } from "node:fs/promises";
import { platform } from "node:process";
import { systemCode } from "./storage-error.ts";
import { onDisk } from "./walk/byte-path.ts";

export interface DiskCalls {
  /** Writes at the file's own position (the end, for append mode); may write less than asked. */
  write(handle: FileHandle, bytes: Uint8Array, offset: number): Promise<number>;
  /** Flushes the data and what is needed to find it again; cheaper than `sync`. */
  datasync(handle: FileHandle): Promise<void>;
  /** Flushes data and all metadata. */
  sync(handle: FileHandle): Promise<void>;
}

export const realDiskCalls: DiskCalls = {
  async write(handle, bytes, offset) {
    return (await handle.write(bytes, offset, bytes.length - offset, null)).bytesWritten;
  },
  datasync: (handle) => handle.datasync(),
  sync: (handle) => handle.sync(),
};

/** A write loop that stopped early; it knows how much had got through. */
export class PartialWrite extends Error {
  override readonly name = "PartialWrite";
  readonly written: number;
  readonly code: string;

  constructor(written: number, code: string, cause?: unknown) {
    super(`only ${written} bytes were written (${code})`, { cause });
    this.written = written;
    this.code = code;
  }
}

/** Writes every byte, going on after short writes. */
export async function writeFully(
  calls: DiskCalls,
  handle: FileHandle,
  bytes: Uint8Array,
): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    let count: number;
    try {
      count = await calls.write(handle, bytes, written);
    } catch (cause) {
      const code = systemCode(cause);
      if (code === undefined) throw cause;
      throw new PartialWrite(written, code, cause);
    }
    // POSIX allows 0 without an error; going on could spin for ever.
    if (count <= 0) throw new PartialWrite(written, "EIO");
    written += count;
  }
}

// File systems that cannot sync a directory (some network and FUSE mounts) answer with
// one of these. The entry is then as durable as that file system can make it.
const DIRECTORY_SYNC_UNSUPPORTED = new Set(["EINVAL", "ENOTSUP", "EBADF"]);

/**
 * Makes the directory's entries durable: without it a created or renamed file can be
 * gone after a power loss even though its content was synced.
 */
export async function syncDirectory(calls: DiskCalls, path: string): Promise<void> {
  // Windows cannot open a directory for syncing; NTFS journals the entry itself.
  if (platform === "win32") return;
  const handle = await open(onDisk(path), "r");
  try {
    await calls.sync(handle);
  } catch (error) {
    if (!DIRECTORY_SYNC_UNSUPPORTED.has(systemCode(error) ?? "")) throw error;
  } finally {
    await handle.close();
  }
}
