// Removes what is only in the way of tidiness: a temporary file, a finished claim. That it
// stays is no failure, and must not hide one.

import type { WriteOptions } from "./append-file.ts";
import type { Storage } from "./storage.ts";
import { StorageError } from "./storage-error.ts";

export async function removeIfPossible(
  storage: Storage,
  path: string,
  point: WriteOptions,
): Promise<void> {
  try {
    await storage.remove(path, point);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
}
