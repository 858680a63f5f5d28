// A prompt, and all that it has set going: agents work on when the run is over, and each result is
// another run. Print mode is done when nobody is left at work.

import type { SaidMessage } from "@tau/agent/mail";
import type { ActiveEnd, ActiveSession } from "../assembly/active-session.ts";
import { PENDING_WORK } from "../feature-api/pending-work.ts";
import { say } from "./say.ts";

export interface SayingToTheEnd {
  signal: AbortSignal;
  /** What is waited for, in words. */
  waiting?(words: string): void;
}

/** How the last of the runs ended. */
export async function sayToTheEnd(
  active: ActiveSession,
  message: SaidMessage,
  { signal, waiting }: SayingToTheEnd,
): Promise<ActiveEnd> {
  let last: ActiveEnd | undefined;
  const unsubscribe = active.subscribe((event, origin) => {
    if (event.type === "agent_end" && origin.agent === undefined) last = event.end;
  }, "part");
  try {
    let end = await say(active, message, { signal });
    while (true) {
      // Of what stands now: a prompt may have led into another session.
      const pending = active.part(PENDING_WORK);
      if (!pending || pending.count === 0) return end;
      waiting?.(pending.words);
      await pending.whenDone(signal);
      await active.session.whenIdle();
      if (signal.aborted) {
        await pending.stop();
        return { reason: "aborted" };
      }
      end = last ?? end;
    }
  } finally {
    unsubscribe();
  }
}
