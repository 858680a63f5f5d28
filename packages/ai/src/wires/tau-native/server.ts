// The receiving side of Tau's own wire.

import type { WireServer } from "../../wire.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeReply, encodeStream } from "./encode-stream.ts";
import { encodeError } from "./failure.ts";
import { PATH, PATH_ALIAS } from "./protocol.ts";

export const server: WireServer = {
  matches: (method, { pathname }) =>
    method === "POST" && (pathname.endsWith(PATH) || pathname.endsWith(PATH_ALIAS)),
  decodeRequest,
  encodeStream,
  encodeReply,
  encodeError,
};
