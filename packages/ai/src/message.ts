// The neutral conversation: the one format that the log keeps, the loop works on and
// every wire is translated from and to. Nothing here is specific to a vendor; what a
// vendor needs back byte for byte travels in `opaque`.

import type { ModelFailure } from "./error.ts";
import type { Usage } from "./usage.ts";
import type { WireId } from "./wire.ts";

/**
 * Bytes that only their origin understands: thinking signatures, encrypted reasoning,
 * item ids. Kept exactly as received; an encoder replays them only to the same wire
 * (and model, where the vendor ties them to it) and drops or demotes them elsewhere.
 */
export interface Opaque {
  wire: WireId;
  model: string;
  data: string;
}

export interface TextBlock {
  type: "text";
  text: string;
  opaque?: Opaque;
}

export interface ThinkingBlock {
  type: "thinking";
  text: string;
  /** The vendor withheld the text; only `opaque` carries it. */
  redacted?: boolean;
  opaque?: Opaque;
}

export interface ToolCallBlock {
  type: "toolCall";
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  /** The raw argument text where it is not a whole JSON object: such a call is never executed. */
  malformed?: string;
  opaque?: Opaque;
}

export interface ImageBlock {
  type: "image";
  mimeType: string;
  /** Base64. */
  data: string;
  /** What people call it: a file's name. No wire sends it. */
  name?: string;
}

export interface UserMessage {
  role: "user";
  content: (TextBlock | ImageBlock)[];
  timestamp: number;
}

/** Instructions from the application in the middle of a conversation. */
export interface DeveloperMessage {
  role: "developer";
  content: TextBlock[];
  timestamp: number;
}

export type AssistantBlock = TextBlock | ThinkingBlock | ToolCallBlock;

export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";

export interface AssistantMessage {
  role: "assistant";
  content: AssistantBlock[];
  /** The concrete model that spoke, never an alias. */
  provider: string;
  model: string;
  wire: WireId;
  stopReason: StopReason;
  /** The vendor's own tools took long: it wants the reply back, and goes on from there. */
  isPaused?: true;
  usage: Usage;
  error?: ModelFailure;
  responseId?: string;
  timestamp: number;
}

export interface ToolResultMessage {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: (TextBlock | ImageBlock)[];
  isError: boolean;
  timestamp: number;
}

export type Message = UserMessage | DeveloperMessage | AssistantMessage | ToolResultMessage;

/**
 * The text of a message's text blocks, joined as a reader would see it: blocks of a reply continue one
 * another, those of a tool's result are pieces of their own, each on its line.
 */
export function textOf(message: { role?: string; content: readonly { type: string }[] }): string {
  const isResult = message.role === "toolResult";
  let text = "";
  for (const block of message.content) {
    if (block.type !== "text") continue;
    const { text: more } = block as TextBlock;
    const isGlued = isResult && text !== "" && !text.endsWith("\n") && !more.startsWith("\n");
    text += isGlued ? `\n${more}` : more;
  }
  return text;
}

export function toolCallsOf(message: AssistantMessage): ToolCallBlock[] {
  return message.content.filter((block) => block.type === "toolCall");
}

/** A word from the program, not from the user. */
export function developerText(text: string, timestamp = Date.now()): DeveloperMessage {
  return { role: "developer", content: [{ type: "text", text }], timestamp };
}

export function userText(text: string, timestamp = Date.now()): UserMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp };
}
