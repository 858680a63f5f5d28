// The receiving side of Converse and ConverseStream. Who may call is the receiver's
// business, as on every wire.

import type { WireServer } from "../../wire.ts";
import { renamedServer } from "../renamed-server.ts";
import { decodeRequest, matches } from "./decode-request.ts";
import { encodeReply, encodeStream, SPELLED_LIKE } from "./encode-stream.ts";
import { encodeError } from "./errors.ts";

/** Reads and writes opaque bytes as the Messages spelling does, under the other's name. */
const spelled: WireServer = {
  matches,
  decodeRequest,
  streamType: "application/vnd.amazon.eventstream",
  encodeStream,
  encodeReply,
  encodeError,
};

export const server: WireServer = renamedServer(spelled, {
  base: SPELLED_LIKE,
  own: "bedrock-converse-stream",
});
