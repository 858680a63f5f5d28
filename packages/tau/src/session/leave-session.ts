// How a session is left: everybody who joined goes, the last first, and the log is closed, whoever of
// them fails or hangs on the way. Otherwise the session would stay locked by a process that is done
// with it.

import { withinLimit } from "../base/within-limit.ts";
import type { SessionMember } from "./session-host.ts";

/** Longer than ending processes takes (their own limits are seconds), shorter than a person's patience. */
export const LEAVE_LIMIT_MS = 10_000;

export interface Leaving {
  members: readonly SessionMember[];
  /** The handlers of `session_end`, until the signal aborts. */
  tellEnd(signal: AbortSignal): Promise<void>;
  background: AsyncDisposable;
  line: { close(): Promise<void> };
  /** Who failed, and at what; the log still keeps it. */
  report(name: string, step: string, error: unknown): void;
  events: { flush(): Promise<void>; clear(): void };
  limitMs?: number;
}

/** Rejects only if the log cannot be closed. */
export async function leaveSession(
  log: { close(): Promise<void> },
  leaving: Leaving,
): Promise<void> {
  const { members, tellEnd, background, line, report, limitMs = LEAVE_LIMIT_MS } = leaving;
  const attempt = async (name: string, step: string, work: () => unknown): Promise<void> => {
    try {
      await withinLimit(work(), limitMs);
    } catch (error) {
      report(name, step, error);
    }
  };
  await tellWithin(limitMs, tellEnd);
  await attempt("background", "session_end", () => background[Symbol.asyncDispose]());
  await attempt("model line", "session_end", () => line.close());
  for (const member of members.toReversed()) {
    await attempt(member.owner.name, "dispose", () => member.dispose?.());
  }
  // What has just been told is written, too.
  await leaving.events.flush();
  try {
    await log.close();
  } finally {
    leaving.events.clear();
  }
}

/** A handler that is still busy after the limit is passed over after its grace, and told by name. */
async function tellWithin(limitMs: number, tell: Leaving["tellEnd"]): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), limitMs);
  try {
    await tell(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
