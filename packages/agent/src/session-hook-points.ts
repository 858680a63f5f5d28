// Hook points in the life of a session, beyond a single run. The session owns the moments;
// they stand here so that behaviours and extensions have one list to subscribe to.

import type { SaidMessage } from "./mail.ts";

/** The first one who cancels decides. */
export interface Cancel {
  cancel: true;
  reason?: string;
}

type Cancellable<Tells, Extra = never> = { tells: Tells; answer: Cancel | Extra };
type Notice<Tells> = { tells: Tells; answer: never };

export interface SessionHookPoints {
  session_start: Notice<{ sessionId: string; reason: "new" | "resume" | "fork" | "handoff" }>;
  session_before_switch: Cancellable<{ from: string; to: string | undefined }>;
  session_switch: Notice<{ from: string; to: string }>;
  session_before_branch: Cancellable<{ entryId: string }, { skipConversationRestore: boolean }>;
  session_branch: Notice<{ entryId: string; sessionId: string }>;
  /** `compaction` stands in for what the strategy would have made. */
  session_before_compact: Cancellable<{ reason: string }, { compaction: unknown }>;
  /** Adds to what the summary is made of; additions of all handlers count. */
  session_compacting: {
    tells: { reason: string };
    answer: {
      context?: string[];
      prompt?: string;
      preserveData?: Record<string, unknown>;
      /** Stands behind the summary, word for word. */
      reinject?: readonly SaidMessage[];
    };
  };
  session_compact: Notice<{ reason: string; entryId: string }>;
  session_before_tree: Cancellable<
    { from: string | null; to: string | null },
    { summary: { summary: string; details?: unknown } }
  >;
  session_tree: Notice<{ from: string | null; to: string | null }>;
  session_end: Notice<{ sessionId: string }>;
}
