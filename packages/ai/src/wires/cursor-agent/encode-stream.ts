// Neutral events → the messages of a run, as the service would send them. Calls are requests to run
// them here; a turn that ends with them does not wait for their results.

import type { StreamEvent } from "../../event.ts";
import { TOOL_SERVER_ID } from "./agent-body.ts";
import { END_OF_STREAM, envelope } from "./envelope.ts";
import { encodeFailure } from "./errors.ts";
import { encodeJson } from "./json-value.ts";
import { SERVER_MESSAGE, TODO } from "./messages.ts";
import { encode, type Value } from "./protobuf.ts";

const encoder = new TextEncoder();

export function encodeStream(): (event: StreamEvent) => Uint8Array {
  let calls = 0;
  let half = "";
  /** Half a character cannot be encoded: it waits for the other half. */
  const whole = (delta: string): string => {
    const text = half + delta;
    half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? "";
    return text.slice(0, text.length - half.length);
  };
  return (event) => {
    switch (event.type) {
      case "text_delta":
        return message({ update: { text: { text: whole(event.delta) } } });
      case "thinking_delta":
        return message({ update: { thinking: { text: whole(event.delta) } } });
      case "thinking_end":
        return message({ update: { thoughtEnded: {} } });
      case "toolcall_end": {
        const { id, name, arguments: args, malformed } = event.block;
        // A call that was cut off is never asked for.
        return malformed === undefined ? callMessage(++calls, id, name, args) : new Uint8Array();
      }
      case "done": {
        const { input, output, cacheRead, cacheWrite, reasoning } = event.message.usage;
        const turnEnded = { input, output, cacheRead, cacheWrite, reasoning };
        return joined(message({ update: { turnEnded } }), end({}));
      }
      case "error":
        return end({ error: encodeFailure(event.error) });
      default:
        return new Uint8Array();
    }
  };
}

export function callMessage(
  id: number,
  callId: string,
  toolName: string,
  args: Readonly<Record<string, unknown>>,
): Uint8Array {
  const call = {
    name: `${TOOL_SERVER_ID}-${toolName}`,
    arguments: Object.entries(args).map(([key, value]) => ({ key, value: encodeJson(value) })),
    callId,
    provider: TOOL_SERVER_ID,
    toolName,
  };
  return message({ todo: encode(TODO, { id, execId: `exec-${id}`, call }) });
}

export function message(said: Value<typeof SERVER_MESSAGE>): Uint8Array {
  return envelope(encode(SERVER_MESSAGE, said));
}

export function end(how: unknown): Uint8Array {
  return envelope(encoder.encode(JSON.stringify(how)), END_OF_STREAM);
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
