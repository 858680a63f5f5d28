// Cuts a streamed body into frames, whatever way the network cut its bytes.

import { SseDecoder } from "./sse.ts";
import type { Frame, Framing } from "./wire.ts";

export interface Framer {
  push(bytes: Uint8Array): void;
  end(): void;
}

/** The rarer framings are loaded with the first body that needs them. */
export async function createFramer(
  framing: Framing,
  onFrame: (frame: Frame) => void,
): Promise<Framer> {
  switch (framing) {
    case "sse":
      return new SseDecoder(onFrame);
    case "ndjson":
      return new (await import("./ndjson.ts")).NdjsonDecoder(onFrame);
    case "aws-event-stream":
      return new (await import("./aws-event-stream.ts")).EventStreamDecoder(onFrame);
    case "connect":
      return new (await import("./wires/cursor-agent/reply-frames.ts")).ReplyFramer(onFrame);
  }
}
