// A command or a cell of the user's own, as the session tells of it: everybody who watches sees it
// begin, print and end, and its end is in the log.

import { HookCalls } from "@tau/agent/hook-calls";
import type { Answer, Told } from "@tau/agent/hook-points";
import type { OwnRun, OwnRunEnd } from "./session-event.ts";
import type { Session } from "./session.ts";

export interface OwnRunReport {
  /** For the message that tells the model of it: an older Tau writes that one down without its sender. */
  readonly toldAt: number;
  printed(text: string): void;
  /** The first time counts: whatever fails afterwards is not its end. */
  ended(end: Omit<OwnRunEnd, "durationMs">): void;
}

export function beginOwnRun(
  session: Pick<Session, "emit" | "hide">,
  what: Omit<OwnRun, "id" | "toldAt">,
): OwnRunReport {
  // Whoever watches may be another program: secrets are for the shell alone.
  // No two are alike: within a millisecond there may be a prompt, and another run.
  const toldAt = Date.now() + Math.random();
  const id = crypto.randomUUID();
  const run: OwnRun = { id, ...session.hide(what), toldAt: what.isTold ? toldAt : undefined };
  const since = performance.now();
  let isOver = false;
  session.emit({ type: "own_run_start", ...run });
  return {
    toldAt,
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

type OwnWords = Told<"own_run">;

/** Undefined if nobody has run it instead. */
export async function ranInstead(
  { hooks, emit, hide }: Pick<Session, "hooks" | "emit" | "hide">,
  words: OwnWords,
  signal: AbortSignal,
): Promise<Answer<"own_run"> | undefined> {
  const calls = new HookCalls(hooks, { signal, emit });
  return calls.has("own_run") ? hide(await calls.first("own_run", words)) : undefined;
}
