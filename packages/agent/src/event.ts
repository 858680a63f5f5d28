// What a run tells whoever watches it. Screens, print mode, the log and remote fronts
// are all made of these; the loop calls none of them.

import type { StreamEvent } from "@tau/ai/event";
import type { ModelFailure } from "@tau/ai/error";
import type { AssistantMessage, Message, ToolCallBlock, ToolResultMessage } from "@tau/ai/message";

/** What a limit is about; `behaviour` is a stop that a hook asked for. */
export type LimitKind = "turns" | "requests" | "tokens" | "cost" | "time" | "repeat" | "behaviour";

export type RunEnd =
  | { reason: "done" }
  | { reason: "aborted" }
  /** The model call failed; the last assistant message carries the error. */
  | { reason: "failed" }
  /** A limit was reached; `limit` says it in words that follow "the limit of". */
  | { reason: "limit"; kind: LimitKind; limit: string };

export type RetryAction = "refresh" | "rotate" | "wait" | "fallback" | "leave_out" | "shorten";

/** Which call it is about; nothing is said for the conversation's own. */
interface WhoseCall {
  /** Asked beside the conversation: `title`, `compaction`, the name of an extension. */
  purpose?: string;
  /** Nobody waits for it. */
  isQuiet?: true;
}

/** What is being done about a failed model call. */
export type RecoveryEvent = WhoseCall &
  (
    | {
        type: "auto_retry_start";
        /** Counts from 1 since the last success. */
        attempt: number;
        action: RetryAction;
        delayMs: number;
        failure: ModelFailure;
        /** The model that is asked next, as `provider/id`. */
        model: string;
      }
    | { type: "auto_retry_end"; success: boolean; attempts: number }
  );

export interface HookErrorEvent {
  type: "hook_error";
  /** The behaviour or extension whose handler threw. */
  behaviour: string;
  hook: string;
  error: unknown;
}

/** An extension, or a command of the user's, keeps everybody waiting; told again while it does. */
export interface HookSlowEvent {
  type: "hook_slow";
  behaviour: string;
  hook: string;
  waitedMs: number;
  /** The command in words, if it is one. */
  command?: string;
}

export type AgentEvent =
  | { type: "agent_start" }
  | { type: "turn_start"; turn: number }
  | { type: "message_start"; role: "assistant" }
  | { type: "message_update"; event: StreamEvent }
  /** A message is part of the conversation, and durable where the run is recorded. */
  | { type: "message_end"; message: Message }
  /** These waited in the mailbox; their `message_end` has just been told. */
  | { type: "mail_delivered"; mailIds: string[] }
  /** A reply failed or was stopped and does not count: what was shown of it is void. */
  | { type: "reply_discarded"; message: AssistantMessage }
  | RecoveryEvent
  | HookErrorEvent
  | HookSlowEvent
  | { type: "tool_execution_start"; call: ToolCallBlock }
  /** At most one in 50 ms for a call: the text since the last one, or instead of it all. */
  | { type: "tool_execution_update"; callId: string; text: string; replaces?: true }
  /** Once for every call; without a start before it where the call was not run. */
  | {
      type: "tool_execution_end";
      call: ToolCallBlock;
      result: ToolResultMessage;
      details?: unknown;
      /** The whole output, where the result has only part of it. */
      artifactId?: string;
      /** Absent if it was not begun. */
      durationMs?: number;
      /** It was refused only because nobody could be asked: why somebody should have been. */
      unasked?: string;
      bug?: unknown;
    }
  | { type: "turn_end"; turn: number; message: AssistantMessage; results: ToolResultMessage[] }
  | { type: "agent_end"; end: RunEnd };
