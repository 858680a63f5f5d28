// Gives a finished temporary file its name, unless somebody has that name already.

import type { WriteOptions } from "./append-file.ts";
import type { Storage } from "./storage.ts";
import { StorageError } from "./storage-error.ts";

/** What file systems answer that know no second names for a file. */
export const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** False where the name is taken. The temporary name is the caller's to remove. */
export async function publishFile(
  storage: Storage,
  temporary: string,
  path: string,
  point: WriteOptions,
): Promise<boolean> {
  try {
    await storage.link(temporary, path, point);
    return true;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code === "EEXIST") return false;
    if (!NO_LINKS.has(error.code)) throw error;
    // A rename would replace whoever comes in this moment; there is nothing better here.
    if ((await storage.stat(path)) !== undefined) return false;
    await storage.rename(temporary, path, point);
    return true;
  }
}
