// Bytes of a session file from wherever they can be had: its path, or a handle that is
// still good when the path is not. All reading is by range, so that what is read is what
// is needed.

import type { AppendFile } from "@tau/host/append-file";
import type { Storage } from "@tau/host/storage";

export interface ByteSource {
  /** At most `length` bytes from `start`; fewer only at the end of the file. */
  read(start: number, length: number): Promise<Uint8Array>;
}

export function pathSource(storage: Storage, path: string): ByteSource {
  return { read: (start, length) => storage.read(path, { start, length }) };
}

/** `current` is asked each time: a log may have to change its handle. */
export function fileSource(current: () => AppendFile): ByteSource {
  return { read: (start, length) => current().read(start, length) };
}
