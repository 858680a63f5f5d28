// Cursor's agent service: models behind a Cursor plan. It has no published API.

import type { WireClient } from "../../wire.ts";
import { converse } from "./converse.ts";
import { decodeReply, decodeStream } from "./decode-stream.ts";
import { encodeRequest } from "./encode-request.ts";
import { decodeError } from "./errors.ts";

export const client: WireClient = {
  framing: "connect",
  encodeRequest,
  converse,
  decodeStream,
  decodeReply,
  decodeError,
};
