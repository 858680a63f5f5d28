// The receiving side of a run. It comes over HTTP/2 and is gathered before it is a request; it has
// no unstreamed form.

import type { WireServer } from "../../wire.ts";
import { RUN_PATH } from "./agent-body.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeStream } from "./encode-stream.ts";
import { encodeError } from "./errors.ts";
import { RequestGatherer } from "./gather-request.ts";

export const server: WireServer = {
  matches: (method, url) => method === "POST" && url.pathname.endsWith(RUN_PATH),
  gather: (send) => new RequestGatherer(send),
  decodeRequest,
  streamType: "application/connect+proto",
  encodeStream,
  encodeReply: () => ({}),
  encodeError,
};
