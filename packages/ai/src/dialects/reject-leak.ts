// Some models now and then leak their internal call syntax into a tool call's arguments.
// Such a call must not run: the reply is failed as soon as the call is complete, and asking
// again gives a clean one.

import { modelFailure } from "../error.ts";
import { isTerminal } from "../event.ts";
import { ReplyStream } from "../reply-stream.ts";
import { detectHarmonyLeak } from "./harmony-leak.ts";

/** `stop` ends the call behind `stream`, which has nothing left to say. */
export function rejectLeaks(stream: ReplyStream, stop: () => void): ReplyStream {
  const guarded = new ReplyStream();
  void forward(stream, guarded, stop);
  return guarded;
}

async function forward(stream: ReplyStream, guarded: ReplyStream, stop: () => void): Promise<void> {
  let leak = "";
  for await (const event of stream) {
    if (leak === "" && event.type === "toolcall_end") {
      const found = detectHarmonyLeak(JSON.stringify(event.block.arguments));
      if (found) {
        leak = event.block.name;
        stop();
      }
    }
    if (leak === "") guarded.push(event);
    else if (isTerminal(event)) {
      const message = `The call of ${leak} came with foreign syntax in its arguments.`;
      const error = modelFailure("protocol", message, { code: "harmony_leak", retryable: true });
      guarded.push({
        type: "error",
        reason: "error",
        error,
        message: { ...event.message, stopReason: "error", error },
      });
    }
  }
}
