// A reply whose code is loaded when it is needed, so that whoever asks has a stream at once.

import { ReplyStream } from "./reply-stream.ts";

/** `open` must not fail: failures are the reply's own, as its last event. */
export function deferredReply(open: () => Promise<ReplyStream>): ReplyStream {
  const stream = new ReplyStream();
  void (async () => {
    for await (const event of await open()) stream.push(event);
  })();
  return stream;
}
