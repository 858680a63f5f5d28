// Google's Vertex AI: Gemini in generateContent's spelling, and Anthropic's models in
// their own, behind one address and one way of authorizing.

import type { WireClient } from "../../wire.ts";
import { decodeError } from "../google-generative-ai/errors.ts";
import { authorize } from "./authorize.ts";
import { decodeReply, decodeStream } from "./decode-stream.ts";
import { encodeRequest } from "./encode-request.ts";

export const client: WireClient = {
  framing: "sse",
  authorize,
  encodeRequest,
  decodeStream,
  decodeReply,
  // A guest's own error comes in an envelope of the same outer shape.
  decodeError,
};
