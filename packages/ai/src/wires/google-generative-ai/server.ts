// The receiving side of generateContent and streamGenerateContent.

import type { WireServer } from "../../wire.ts";
import { decodeRequest, matches } from "./decode-request.ts";
import { encodeReply, encodeStream } from "./encode-stream.ts";
import { encodeError } from "./errors.ts";

export const server: WireServer = {
  matches,
  decodeRequest,
  encodeStream,
  encodeReply,
  encodeError,
};
