// One process at a time changes files through Tau, so that what one has checked is not changed
// by another before it has written. The lock is gone with its process, however that ends: whoever
// holds it may also take every journal it finds for one of a dead process.

import { join } from "node:path";
import { LockTimeout, withLockFile, type FileLockOptions } from "@tau/host/lock/file-lock";
import { FileProblem } from "./file-problem.ts";

const LOCK_FILE = "lock";
/** A change takes milliseconds; a slow disk and many waiting agents are allowed for. */
const MAX_WAIT_MS = 20_000;

export async function withEditLock<T>(
  directory: string,
  { signal, waitMs = MAX_WAIT_MS }: FileLockOptions,
  run: () => Promise<T>,
): Promise<T> {
  const path = join(directory, LOCK_FILE);
  try {
    return await withLockFile(path, run, { signal, waitMs });
  } catch (error) {
    if (!(error instanceof LockTimeout)) throw error;
    throw new FileProblem(
      "busy",
      path,
      "Another process is changing files and did not finish in time. Nothing was changed; try again.",
    );
  }
}
