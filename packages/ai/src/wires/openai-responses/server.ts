// The receiving side of OpenAI Responses.

import type { WireServer } from "../../wire.ts";
import { encodeErrorReply } from "../openai-failure.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeReply, encodeStream } from "./encode-stream.ts";

export const server: WireServer = {
  matches: (method, url) => method === "POST" && url.pathname.endsWith("/responses"),
  decodeRequest,
  encodeStream,
  encodeReply,
  encodeError: encodeErrorReply,
};
