// Hook points in the life of a session, beyond a single run. The session owns the moments;
// they stand here so that behaviours and extensions have one list to subscribe to.

import type { ModelFailure } from "@tau/ai/error";
import type { AssistantMessage, Message } from "@tau/ai/message";
import type { SaidMessage } from "./mail.ts";

/** The first one who cancels decides. */
export interface Cancel {
  cancel: true;
  reason?: string;
}

type Cancellable<Tells, Extra = never> = { tells: Tells; answer: Cancel | Extra };
type Notice<Tells> = { tells: Tells; answer: never };

/** What is wanted of a compaction: a shorter conversation to go on with. */
export interface CompactionCall {
  reason: string;
  /** What the user asked the summary to attend to. */
  instructions?: string;
  /** Instead of the one in the settings. */
  strategy?: string;
  /** Whether a fresh session could begin now: not in the middle of a run. */
  mayHandOff?: boolean;
}

/** What the strategy would summarise, and from where on it would keep. */
export interface CompactionPlan {
  firstKeptEntryId: string;
  messages: readonly Message[];
  previousSummary?: string;
  tokensBefore: number;
}

export type CompactionReport =
  | { type: "compacted"; before: number; after: number }
  /** A fresh session is to begin with this document. */
  | { type: "handoff"; document: string }
  /** `failure`: the model that was asked for it failed. */
  | { type: "dropped"; message: string; failure?: ModelFailure };

/** `reload`: the same session as before, with its extensions loaded anew. */
export type StartReason = "new" | "resume" | "fork" | "handoff" | "reload";

/** `quit`: no other session follows. */
export type EndReason = "quit" | StartReason;

export interface SessionHookPoints {
  /**
   * Before a prompt joins the conversation: whoever makes room for it says what came of that. The
   * first answer counts.
   */
  session_before_prompt: { tells: { sessionId: string }; answer: CompactionReport };
  /** The conversation is to be made shorter, in the log. The first answer counts. */
  session_shorten: { tells: CompactionCall; answer: CompactionReport };
  /** A reply stopped at a length: `true` if a full window cut it. The first answer counts. */
  session_cut_reply: { tells: { reply: AssistantMessage }; answer: boolean };
  /** A branch is left and the user wants a note about it. The first answer counts. */
  session_summarise_branch: {
    /** `entries`: what is left, oldest first, as the log has it. */
    tells: { entries: readonly unknown[]; instructions?: string };
    /** `failure`: the model that was to write it failed. */
    answer: { summary: string; details?: unknown } | { failure: ModelFailure };
  };
  /** A fresh session goes on: entries that it begins with, of all who answer. */
  session_handing_over: { tells: { document: string }; answer: { entries: readonly unknown[] } };
  /**
   * The user is about to run a command or a cell of their own. Whoever answers has run it instead, and
   * says what came out. The first answer counts.
   */
  own_run: {
    tells: { tool: string; language?: string; text: string; isTold: boolean };
    answer: { output: string; exitCode: number | null };
  };
  /** `previous`: the session that it follows in this process; none for the first one. */
  session_start: Notice<{ sessionId: string; reason: StartReason; previous?: string }>;
  session_before_switch: Cancellable<{ from: string; to: string | undefined; reason: StartReason }>;
  session_switch: Notice<{ from: string; to: string; reason: StartReason }>;
  session_before_branch: Cancellable<{ entryId: string }, { skipConversationRestore: boolean }>;
  session_branch: Notice<{ entryId: string; sessionId: string }>;
  /** `compaction` stands in for what the strategy would have made. */
  session_before_compact: Cancellable<
    /** `instructions`: what the user asked the summary to attend to. */
    { reason: string; instructions?: string; plan?: CompactionPlan },
    { compaction: unknown }
  >;
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
  session_end: Notice<{ sessionId: string; reason: EndReason }>;
}
