// What a run tells whoever watches it. Screens, print mode, the log and remote fronts
// are all made of these; the loop calls none of them.

import type { StreamEvent } from "@tau/ai/event";
import type { ModelFailure } from "@tau/ai/error";
import type { AssistantMessage, Message, ToolCallBlock, ToolResultMessage } from "@tau/ai/message";

export type RunEnd =
  | { reason: "done" }
  | { reason: "aborted" }
  /** The model call failed; the last assistant message carries the error. */
  | { reason: "failed" }
  /** A limit that the caller set was reached. */
  | { reason: "limit"; limit: string };

/** What is being done about a failed model call. */
export type RecoveryEvent =
  | {
      type: "auto_retry_start";
      /** Counts from 1 since the last success. */
      attempt: number;
      action: "refresh" | "rotate" | "wait" | "fallback";
      delayMs: number;
      failure: ModelFailure;
      /** The model that is asked next, as `provider/id`. */
      model: string;
    }
  | { type: "auto_retry_end"; success: boolean; attempts: number };

export type AgentEvent =
  | { type: "agent_start" }
  | { type: "turn_start"; turn: number }
  | { type: "message_start"; role: "assistant" }
  | { type: "message_update"; event: StreamEvent }
  | { type: "message_end"; message: Message }
  /** A reply failed and is asked for again: what was shown of it does not count. */
  | { type: "reply_discarded"; message: AssistantMessage }
  | RecoveryEvent
  | { type: "tool_execution_start"; call: ToolCallBlock }
  | { type: "tool_execution_update"; callId: string; text: string }
  | {
      type: "tool_execution_end";
      call: ToolCallBlock;
      result: ToolResultMessage;
      details?: unknown;
      bug?: unknown;
    }
  | { type: "turn_end"; turn: number; message: AssistantMessage; results: ToolResultMessage[] }
  | { type: "agent_end"; end: RunEnd };
