// The backend's events are those of Responses. Its own word for a used-up plan may come
// in the middle of a stream too, with the time to wait.

import type { ReplyAssembler } from "../../reply-assembler.ts";
import type { FrameSink } from "../../wire.ts";
import { asObject, parseObject } from "../json.ts";
import { decodeStream as decodeResponses } from "../openai-responses/decode-stream.ts";
import { USAGE_LIMIT, usageLimitOf } from "./usage-limit.ts";

export function decodeStream(out: ReplyAssembler): FrameSink {
  const responses = decodeResponses(out);
  return {
    frame: (frame) => {
      // Few frames hold the word, so nearly all are parsed once only.
      const limit = frame.data.includes(USAGE_LIMIT) ? limitIn(frame.data) : undefined;
      if (limit) out.fail(limit);
      else responses.frame(frame);
    },
    end: () => responses.end(),
  };
}

function limitIn(data: string): ReturnType<typeof usageLimitOf> {
  const event = parseObject(data);
  if (event?.type === "response.failed") {
    return usageLimitOf(asObject(asObject(event.response)?.error));
  }
  if (event?.type !== "error") return undefined;
  return usageLimitOf(asObject(event.error) ?? event);
}
