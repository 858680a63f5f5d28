// What a scripted model says, turn by turn, and what goes wrong while it says it. One
// script serves every wire: it is written in neutral blocks and encoded by the wire that
// the client happens to speak.

import type { ModelFailure } from "@tau/ai/error";
import type { StreamEvent } from "@tau/ai/event";
import type { AssistantBlock } from "@tau/ai/message";
import { ReplyAssembler, type ReplyOrigin } from "@tau/ai/reply-assembler";
import type { Usage } from "@tau/ai/usage";

export interface ScriptedCall {
  name: string;
  arguments?: Record<string, unknown>;
  id?: string;
}

/** Knobs for how the reply travels. All bytes are counted on the wire, after encoding. */
export interface Delivery {
  /** Size of each write; 1 delivers byte by byte. Default: one write an event. */
  chunkBytes?: number;
  /** Pause before the first byte. */
  firstByteDelayMs?: number;
  /** Pause between writes. */
  delayMs?: number;
  /** Says nothing more after this many bytes and keeps the connection open. */
  silentAfterBytes?: number;
  /** Cuts the connection after this many bytes, without a proper end. */
  disconnectAfterBytes?: number;
  /** Ends the body properly after this many bytes: a reply without its terminal event. */
  endAfterBytes?: number;
  /** Extra response headers. */
  headers?: Record<string, string>;
}

export interface ScriptedReply {
  thinking?: string;
  text?: string;
  toolCalls?: ScriptedCall[];
  /** Instead of the three above, where order or signatures matter. */
  blocks?: AssistantBlock[];
  usage?: Partial<Usage>;
  stop?: "stop" | "length";
  /** Characters per delta. */
  deltaChars?: number;
  /** An error event inside the 200 stream, behind everything else of the reply. */
  streamError?: ModelFailure;
  delivery?: Delivery;
}

/** Answers with an HTTP error instead of a reply. */
export interface ScriptedHttpError {
  httpError: {
    /** Encoded as the wire's own error body, with its status. */
    failure?: ModelFailure;
    /** Or verbatim. */
    status?: number;
    headers?: Record<string, string>;
    body?: string;
  };
}

export type ScriptedTurn = ScriptedReply | ScriptedHttpError;

const DEFAULT_DELTA_CHARS = 8;

export function isHttpError(turn: ScriptedTurn): turn is ScriptedHttpError {
  return "httpError" in turn;
}

/** The neutral events of a scripted reply, in the order a real model would send them. */
export function eventsOf(reply: ScriptedReply, origin: ReplyOrigin, turn: number): StreamEvent[] {
  const events: StreamEvent[] = [];
  const out = new ReplyAssembler(origin, (event) => events.push(event), 0);
  out.usage({ input: 10, output: 5, ...reply.usage });
  for (const block of blocksOf(reply, turn)) sendBlock(out, block, reply.deltaChars);
  if (reply.streamError) out.fail(reply.streamError);
  else out.finish(reply.stop ?? "stop");
  return events;
}

function blocksOf(reply: ScriptedReply, turn: number): AssistantBlock[] {
  if (reply.blocks) return reply.blocks;
  const blocks: AssistantBlock[] = [];
  if (reply.thinking !== undefined) blocks.push({ type: "thinking", text: reply.thinking });
  if (reply.text !== undefined) blocks.push({ type: "text", text: reply.text });
  for (const [at, call] of (reply.toolCalls ?? []).entries()) {
    const id = call.id ?? `call_${turn}_${at + 1}`;
    blocks.push({ type: "toolCall", id, name: call.name, arguments: call.arguments ?? {} });
  }
  return blocks;
}

function sendBlock(
  out: ReplyAssembler,
  block: AssistantBlock,
  deltaChars = DEFAULT_DELTA_CHARS,
): void {
  const open =
    block.type === "text"
      ? out.openText()
      : block.type === "thinking"
        ? out.openThinking({ redacted: block.redacted ?? false })
        : out.openToolCall(block);
  const text =
    block.type === "toolCall" ? (block.malformed ?? JSON.stringify(block.arguments)) : block.text;
  // By code point: a lone half of a surrogate pair cannot be encoded.
  const points = [...text];
  for (let at = 0; at < points.length; at += deltaChars) {
    open.append(points.slice(at, at + deltaChars).join(""));
  }
  if (block.opaque) open.keep(block.opaque.data);
  open.close();
}
