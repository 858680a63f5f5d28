// What a run tells whoever watches it. Screens, print mode, the log and remote fronts
// are all made of these; the loop calls none of them.

import type { StreamEvent } from "@tau/ai/event";
import type { AssistantMessage, Message, ToolCallBlock, ToolResultMessage } from "@tau/ai/message";

export type RunEnd =
  | { reason: "done" }
  | { reason: "aborted" }
  /** The model call failed; the last assistant message carries the error. */
  | { reason: "failed" }
  /** A limit that the caller set was reached. */
  | { reason: "limit"; limit: string };

export type AgentEvent =
  | { type: "agent_start" }
  | { type: "turn_start"; turn: number }
  | { type: "message_start"; role: "assistant" }
  | { type: "message_update"; event: StreamEvent }
  | { type: "message_end"; message: Message }
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
