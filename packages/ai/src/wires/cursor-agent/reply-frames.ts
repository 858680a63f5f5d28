// What the service says, as the frames of a reply. Everything else it sends is a request to whoever
// holds the conversation, and no part of the reply.

import { decodeJson } from "./json-value.ts";
import type { Envelope } from "./envelope.ts";
import { EnvelopeDecoder } from "./envelope.ts";
import type { Framer } from "../../framing.ts";
import type { Frame } from "../../wire.ts";
import { SERVER_MESSAGE, TODO, type CALL_ARGUMENTS } from "./messages.ts";
import { decode, type Value } from "./protobuf.ts";

export type ServerMessage = Value<typeof SERVER_MESSAGE>;
export type CallArguments = Value<typeof CALL_ARGUMENTS>;

/** Made here, not sent: calls are waiting for their results. */
export const CALLS_WAIT: Frame = { event: "calls_wait", data: "" };
export const TURN_ENDED = "turn_ended";

export function framesOf({ update, checkpoint }: ServerMessage): Frame[] {
  const frames: Frame[] = [];
  if (update?.text) frames.push({ event: "text", data: update.text.text ?? "" });
  if (update?.thinking) frames.push({ event: "thinking", data: update.thinking.text ?? "" });
  if (update?.thoughtEnded) frames.push({ event: "thought_ended", data: "" });
  if (update?.tokens) frames.push({ event: "tokens", data: String(update.tokens.count ?? 0) });
  const used = checkpoint?.tokens?.used;
  if (used !== undefined) frames.push({ event: "context", data: String(used) });
  if (update?.turnEnded) frames.push({ event: TURN_ENDED, data: JSON.stringify(update.turnEnded) });
  return frames;
}

export function callFrame(call: CallArguments): Frame {
  const entries = (call.arguments ?? []).map(({ key = "", value }) => [
    key,
    value ? decodeJson(value) : null,
  ]);
  const name = call.toolName || call.name || "";
  const data = { id: call.callId ?? "", name, arguments: Object.fromEntries(entries) };
  return { event: "call", data: JSON.stringify(data) };
}

export function endFrame(message: Uint8Array): Frame {
  return { event: "end", data: new TextDecoder().decode(message) };
}

/** A body that comes without a conversation: what it asks for, nobody answers. */
export class ReplyFramer implements Framer {
  readonly #decoder: EnvelopeDecoder;

  constructor(onFrame: (frame: Frame) => void) {
    this.#decoder = new EnvelopeDecoder((envelope) => {
      for (const frame of framesIn(envelope)) onFrame(frame);
    });
  }

  push(bytes: Uint8Array): void {
    this.#decoder.push(bytes);
  }

  /** A message that broke off is told by the reply that lacks its end. */
  end(): void {}
}

function framesIn({ isEnd, message }: Envelope): Frame[] {
  if (isEnd) return [endFrame(message)];
  const said = decode(SERVER_MESSAGE, message);
  const call = said.todo && decode(TODO, said.todo).call;
  return call ? [callFrame(call), ...framesOf(said)] : framesOf(said);
}
