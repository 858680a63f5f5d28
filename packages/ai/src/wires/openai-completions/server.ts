// The receiving side of Chat Completions.

import type { WireServer } from "../../wire.ts";
import { statusOf } from "../vendor-error.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeFailure, encodeReply, encodeStream } from "./encode-stream.ts";

export const server: WireServer = {
  matches: (method, url) => method === "POST" && url.pathname.endsWith("/chat/completions"),
  decodeRequest,
  encodeStream,
  encodeReply,
  encodeError: (failure) => ({
    status: statusOf(failure),
    headers: {},
    body: { error: encodeFailure(failure) },
  }),
};
