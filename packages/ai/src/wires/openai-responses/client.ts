// OpenAI Responses, and the local servers that speak it. Always stateless: nothing is
// stored at the vendor, every request carries the whole conversation.

import type { WireClient } from "../../wire.ts";
import { failureOfBody } from "../vendor-error.ts";
import { decodeReply, decodeStream } from "./decode-stream.ts";
import { encodeRequest } from "./encode-request.ts";

export const client: WireClient = {
  framing: "sse",
  encodeRequest,
  decodeStream,
  decodeReply,
  decodeError: (status, _headers, body) => failureOfBody(status, body),
};
