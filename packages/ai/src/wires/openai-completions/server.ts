// The receiving side of Chat Completions.

import type { WireServer } from "../../wire.ts";
import { encodeErrorReply } from "../openai-failure.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeReply, encodeStream } from "./encode-stream.ts";

export const server: WireServer = {
  matches: (method, url) => method === "POST" && url.pathname.endsWith("/chat/completions"),
  decodeRequest,
  encodeStream,
  encodeReply,
  encodeError: encodeErrorReply,
};
