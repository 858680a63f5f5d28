// Tau's own wire, for gateways and hosts that speak Tau.

import type { WireClient } from "../../wire.ts";
import { decodeReply, decodeStream } from "./decode-stream.ts";
import { encodeRequest } from "./encode-request.ts";
import { decodeError } from "./failure.ts";

export const client: WireClient = {
  framing: "sse",
  encodeRequest,
  decodeStream,
  decodeReply,
  decodeError,
};
