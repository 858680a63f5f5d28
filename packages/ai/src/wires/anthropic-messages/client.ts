// Anthropic's Messages API and the hosts that speak it.

import type { WireClient } from "../../wire.ts";
import { decodeReply, decodeStream } from "./decode-stream.ts";
import { encodeRequest } from "./encode-request.ts";
import { decodeError } from "./errors.ts";

export const client: WireClient = {
  framing: "sse",
  encodeRequest,
  decodeStream,
  decodeReply,
  decodeError,
};
