// Copies the beginning of an open file into a new one, durably and piece by piece.

import type { AppendFile, WriteOptions } from "@tau/host/append-file";
import type { Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import { removeIfPossible } from "@tau/host/remove-if-possible";

const COPY_CHUNK_BYTES = 1024 * 1024;

export async function copyToNewFile(
  storage: Storage,
  from: AppendFile,
  path: string,
  size: number,
  point: WriteOptions,
): Promise<void> {
  const copy = await storage.open(path, { create: true, ...point });
  try {
    for (let at = 0; at < size;) {
      const chunk = await from.read(at, Math.min(COPY_CHUNK_BYTES, size - at));
      // Shorter than what was acknowledged: somebody cut the file that we hold open.
      if (chunk.length === 0) throw new StorageError({ code: "EIO", path, operation: "read" });
      await copy.append(chunk, point);
      at += chunk.length;
    }
    await copy.sync(point);
  } catch (error) {
    await copy.close();
    if (error instanceof StorageError) await removeIfPossible(storage, path, point);
    throw error;
  }
  await copy.close();
}
