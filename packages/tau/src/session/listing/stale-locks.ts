// Locks of sessions whose process is gone: opening such a session takes its lock over, but one that nobody
// opens again keeps it for ever.

import { lockSession } from "../log/open-session.ts";
import type { SessionSurroundings } from "../log/session-surroundings.ts";
import { lockPathOf } from "../log/session-lock.ts";
import { SessionLocked } from "../session-log.ts";

/** Of these sessions; how many there were. */
export async function removeStaleLocks(
  paths: readonly string[],
  surroundings: SessionSurroundings,
): Promise<number> {
  let removed = 0;
  for (const path of paths) {
    if (!(await Bun.file(lockPathOf(path)).exists())) continue;
    try {
      const lock = await lockSession(path, surroundings);
      if (lock.previous) removed += 1;
      await lock.release();
    } catch (error) {
      // Somebody works on it.
      if (!(error instanceof SessionLocked)) throw error;
    }
  }
  return removed;
}
