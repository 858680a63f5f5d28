// Amazon Bedrock's Converse API: one spelling for the models of many makers.

import type { WireClient } from "../../wire.ts";
import { authorize } from "./authorize.ts";
import { decodeReply, decodeStream } from "./decode-stream.ts";
import { encodeRequest } from "./encode-request.ts";
import { decodeError } from "./errors.ts";

export const client: WireClient = {
  framing: "aws-event-stream",
  authorize,
  encodeRequest,
  decodeStream,
  decodeReply,
  decodeError,
};
