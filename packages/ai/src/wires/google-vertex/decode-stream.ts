// Replies of Vertex → neutral events. Anthropic's events say their type, Gemini's chunks
// have none: the first frame tells which of the two codecs reads the rest.

import type { ReplyAssembler } from "../../reply-assembler.ts";
import type { FrameSink } from "../../wire.ts";
import {
  decodeReply as decodeMessage,
  decodeStream as decodeMessages,
} from "../anthropic-messages/decode-stream.ts";
import {
  decodeReply as decodeGeminiReply,
  decodeStream as decodeGemini,
} from "../google-generative-ai/decode-stream.ts";
import { asObject, asString, parseObject } from "../json.ts";

export function decodeStream(out: ReplyAssembler): FrameSink {
  let sink: FrameSink | undefined;
  return {
    frame: (frame) => {
      sink ??= isTyped(parseObject(frame.data)) ? decodeMessages(out) : decodeGemini(out);
      sink.frame(frame);
    },
    end: () => (sink ? sink.end() : out.failIfUnfinished()),
  };
}

export function decodeReply(body: unknown, out: ReplyAssembler): void {
  if (isTyped(body)) decodeMessage(body, out);
  else decodeGeminiReply(body, out);
}

function isTyped(value: unknown): boolean {
  return asString(asObject(value)?.type) !== undefined;
}
