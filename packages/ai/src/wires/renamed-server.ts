// A wire that is another one at a different address (or in a different spelling) shares
// its server half. Only the name that replies and opaque bytes are tagged with differs,
// so the two names change places on the way in and out: what is the own wire's is the
// base's own to the shared half, and what is the base's is a foreigner there.

import type { StreamEvent } from "../event.ts";
import type { AssistantBlock, AssistantMessage, Message } from "../message.ts";
import type { DecodedRequest, WireId, WireServer } from "../wire.ts";

export interface WireNames {
  base: WireId;
  own: WireId;
}

export function renamedServer(server: WireServer, names: WireNames): WireServer {
  return {
    ...server,
    decodeRequest: (url, headers, body) =>
      renameRequest(server.decodeRequest(url, headers, body), names),
    encodeStream: (meta) => {
      const encode = server.encodeStream(meta);
      return (event) => encode(renameEvent(event, names));
    },
    encodeReply: (message, meta) => server.encodeReply(renameReply(message, names), meta),
  };
}

export function renameRequest<R extends Pick<DecodedRequest, "messages">>(
  request: R,
  names: WireNames,
): R {
  const messages = request.messages.map((message) => renameMessage(message, names));
  return { ...request, messages };
}

function renameMessage(message: Message, names: WireNames): Message {
  return message.role === "assistant" ? renameReply(message, names) : message;
}

export function renameReply(message: AssistantMessage, names: WireNames): AssistantMessage {
  return {
    ...message,
    wire: swap(message.wire, names),
    content: message.content.map((block) => renameBlock(block, names)),
  };
}

function renameEvent(event: StreamEvent, names: WireNames): StreamEvent {
  switch (event.type) {
    case "text_end":
      return { ...event, block: renameBlock(event.block, names) };
    case "thinking_end":
      return { ...event, block: renameBlock(event.block, names) };
    case "toolcall_end":
      return { ...event, block: renameBlock(event.block, names) };
    case "done":
    case "error":
      return { ...event, message: renameReply(event.message, names) };
    default:
      return event;
  }
}

function renameBlock<B extends AssistantBlock>(block: B, names: WireNames): B {
  const { opaque } = block;
  if (opaque === undefined) return block;
  return { ...block, opaque: { ...opaque, wire: swap(opaque.wire, names) } };
}

function swap(wire: WireId, { base, own }: WireNames): WireId {
  if (wire === own) return base;
  return wire === base ? own : wire;
}
