// What a reply looks like while it arrives: `start`, then per block `*_start`,
// `*_delta`*, `*_end`, then exactly one of `done` and `error`. The same bytes give the
// same text whatever way the network cut them.

import type { ModelFailure } from "./error.ts";
import type { AssistantMessage, TextBlock, ThinkingBlock, ToolCallBlock } from "./message.ts";

export type DeltaEvent =
  | { type: "text_delta"; index: number; delta: string }
  | { type: "thinking_delta"; index: number; delta: string }
  /** `delta` is raw JSON text of the arguments. */
  | { type: "toolcall_delta"; index: number; delta: string };

export type TerminalEvent =
  | { type: "done"; reason: "stop" | "length" | "toolUse"; message: AssistantMessage }
  | { type: "error"; reason: "error" | "aborted"; error: ModelFailure; message: AssistantMessage };

export type StreamEvent =
  | { type: "start" }
  | { type: "text_start"; index: number }
  | { type: "text_end"; index: number; block: TextBlock }
  | { type: "thinking_start"; index: number }
  | { type: "thinking_end"; index: number; block: ThinkingBlock }
  | { type: "toolcall_start"; index: number; id: string; name: string }
  | { type: "toolcall_end"; index: number; block: ToolCallBlock }
  | DeltaEvent
  | TerminalEvent;

export function isDelta(event: StreamEvent): event is DeltaEvent {
  return "delta" in event;
}

export function isTerminal(event: StreamEvent): event is TerminalEvent {
  return event.type === "done" || event.type === "error";
}
