// A command or a cell of the user's own, as the session tells of it: everybody who watches sees it
// begin, print and end, and its end is in the log.

import type { OwnRun, OwnRunEnd } from "./session-event.ts";
import type { Session } from "./session.ts";

export interface OwnRunReport {
  printed(text: string): void;
  /** The first time counts: whatever fails afterwards is not its end. */
  ended(end: Omit<OwnRunEnd, "durationMs">): void;
}

export function beginOwnRun(
  session: Pick<Session, "emit" | "hide">,
  what: Omit<OwnRun, "id">,
): OwnRunReport {
  // Whoever watches may be another program: secrets are for the shell alone.
  const run: OwnRun = { id: crypto.randomUUID(), ...session.hide(what) };
  const since = performance.now();
  let isOver = false;
  session.emit({ type: "own_run_start", ...run });
  return {
    printed: (text) =>
      session.emit({ type: "own_run_update", id: run.id, text: session.hide(text) }),
    ended: (end) => {
      if (isOver) return;
      isOver = true;
      const durationMs = Math.round(performance.now() - since);
      session.emit({ type: "own_run_end", ...run, ...session.hide(end), durationMs });
    },
  };
}
