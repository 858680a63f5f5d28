// Locks that a Tau that was killed has left beside the logs of its agents. Whoever opens a log takes its
// lock over; of those that nobody opens it would lie there for ever.

import { existsSync } from "node:fs";
import { systemProcesses } from "@tau/host/lock/process-identity";
import { lockPathOf, SessionLock } from "../../session/log/session-lock.ts";
import type { SessionSurroundings } from "../../session/log/session-surroundings.ts";
import { SessionLocked } from "../../session/session-log.ts";

/** Of these logs; one that a living process holds is left alone. */
export async function freeLocks(
  paths: readonly string[],
  { storage, processes = systemProcesses(), now = Date.now }: SessionSurroundings,
): Promise<void> {
  for (const sessionPath of paths) {
    if (!existsSync(lockPathOf(sessionPath))) continue;
    try {
      const options = { storage, sessionPath, processes, takeover: "gone", now } as const;
      await (await SessionLock.acquire(options)).release();
    } catch (error) {
      if (!(error instanceof SessionLocked)) throw error;
    }
  }
}
