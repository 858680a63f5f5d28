// A storage that counts what is read through it, by path or by handle.

import type { AppendFile } from "@tau/host/append-file";
import type { Storage } from "@tau/host/storage";

export interface CountingStorage extends Storage {
  /** Since the last reset. */
  bytesRead: number;
}

export function createCountingStorage(inner: Storage): CountingStorage {
  const count = <T extends Uint8Array>(bytes: T): T => {
    storage.bytesRead += bytes.length;
    return bytes;
  };
  const wrap = (file: AppendFile): AppendFile => ({
    path: file.path,
    created: file.created,
    append: (bytes, options) => file.append(bytes, options),
    sync: (options) => file.sync(options),
    truncate: (size, options) => file.truncate(size, options),
    size: () => file.size(),
    read: async (start, length) => count(await file.read(start, length)),
    identity: () => file.identity(),
    close: () => file.close(),
    [Symbol.asyncDispose]: () => file.close(),
  });
  const storage: CountingStorage = {
    ...inner,
    bytesRead: 0,
    open: async (path, options) => wrap(await inner.open(path, options)),
    read: async (path, options) => count(await inner.read(path, options)),
  };
  return storage;
}
