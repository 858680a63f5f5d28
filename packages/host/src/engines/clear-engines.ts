// Clears away what earlier builds and interrupted extractions left in the cache. Nothing here is
// needed by anybody, so whatever is in the way of it is left for the next time.

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isTemporaryName } from "../replace-file.ts";
import type { Storage } from "../storage.ts";
import { StorageError, systemCode } from "../storage-error.ts";

export const DIRECTORY_PREFIX = "engines-";
export const DAY_MS = 24 * 60 * 60 * 1000;
/** A build that nobody has run for so long is gone; about 45 MB each. */
const KEPT_BUILD_MS = 30 * DAY_MS;

/** `own` is the directory of this build. */
export async function clearAway(storage: Storage, cache: string, own: string): Promise<void> {
  try {
    for (const name of await readdir(cache)) {
      const path = join(cache, name);
      if (!name.startsWith(DIRECTORY_PREFIX) || path === own) continue;
      if ((await ageOf(path)) < KEPT_BUILD_MS) continue;
      await storage.remove(path, { point: "engine.clear", what: "tree" });
    }
    for (const name of await readdir(own)) {
      const path = join(own, name);
      // A younger one may be another process at work.
      if (!isTemporaryName(name) || (await ageOf(path)) < DAY_MS) continue;
      await storage.remove(path, { point: "engine.clear" });
    }
  } catch (error) {
    if (!(error instanceof StorageError) && systemCode(error) === undefined) throw error;
  }
}

async function ageOf(path: string): Promise<number> {
  return Date.now() - (await lstat(path)).mtimeMs;
}
