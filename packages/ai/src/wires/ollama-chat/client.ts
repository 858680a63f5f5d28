// Ollama's own chat API: lines of JSON, and tool calls that are objects.

import type { WireClient } from "../../wire.ts";
import { decodeReply, decodeStream } from "./decode-stream.ts";
import { encodeRequest } from "./encode-request.ts";
import { decodeError } from "./errors.ts";

export const client: WireClient = {
  framing: "ndjson",
  encodeRequest,
  decodeStream,
  decodeReply,
  decodeError,
};
