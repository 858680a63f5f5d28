// The Responses dialect of the backend behind a ChatGPT subscription.

import type { WireClient } from "../../wire.ts";
import { client as responses } from "../openai-responses/client.ts";
import { converse } from "./converse.ts";
import { decodeStream } from "./decode-stream.ts";
import { encodeRequest } from "./encode-request.ts";
import { decodeError } from "./usage-limit.ts";

export const client: WireClient = {
  ...responses,
  encodeRequest,
  converse,
  decodeStream,
  decodeError,
};
