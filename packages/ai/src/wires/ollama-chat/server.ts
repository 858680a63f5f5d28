// The receiving side of Ollama's chat API.

import type { WireServer } from "../../wire.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeReply, encodeStream } from "./encode-stream.ts";
import { encodeError } from "./errors.ts";

export const server: WireServer = {
  matches: (method, url) => method === "POST" && url.pathname.endsWith("/api/chat"),
  decodeRequest,
  streamType: "application/x-ndjson",
  encodeStream,
  encodeReply,
  encodeError,
};
