// Neutral events (or a whole message) → Tau's own stream. The event's name is its type;
// the pieces of a text, of which there are many, are as short as JSON allows.

import type { StreamEvent } from "../../event.ts";
import type { AssistantMessage } from "../../message.ts";
import { encodeSse } from "../../sse.ts";
import type { WireReplyMeta } from "../../wire.ts";
import { PROTOCOL_VERSION } from "./protocol.ts";

export function encodeStream(_meta: WireReplyMeta): (event: StreamEvent) => string {
  return (event) => {
    switch (event.type) {
      case "start":
        return encodeSse(JSON.stringify({ version: PROTOCOL_VERSION }), event.type);
      case "text_delta":
      case "thinking_delta":
      case "toolcall_delta":
        return encodeSse(JSON.stringify([event.index, event.delta]), event.type);
      default: {
        const { type, ...fields } = event;
        return encodeSse(JSON.stringify(fields), type);
      }
    }
  };
}

export function encodeReply(message: AssistantMessage, _meta: WireReplyMeta): unknown {
  return { version: PROTOCOL_VERSION, message };
}
