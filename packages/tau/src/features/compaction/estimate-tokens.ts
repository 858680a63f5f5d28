// How full the context is. The last reply's usage was measured by whoever counts: it is taken
// at its word, and only what came after it is estimated. Where nothing was measured since the
// latest compaction, the whole is estimated. The cost is that of the messages since the last
// reply, not of the conversation.

import type { AssistantMessage } from "@tau/ai/message";
import type { Context } from "../../session/context/build-context.ts";
import { messagesTokens, messageTokens } from "../../base/message-tokens.ts";

/** Proxies report nonsense at times; beyond these the measure is wrong, not the estimate. */
const MIN_RATIO = 0.5;
const MAX_RATIO = 3;

/** Everything the vendor counted for this reply, which is all that the next request repeats. */
export function measuredTokens(reply: AssistantMessage): number {
  if (reply.stopReason === "error" || reply.stopReason === "aborted") return 0;
  const { input, output, cacheRead, cacheWrite } = reply.usage;
  return input + output + cacheRead + cacheWrite;
}

export function contextTokens(context: Context, overhead: number): number {
  const at = lastMeasured(context);
  if (at === undefined) return overhead + messagesTokens(context.messages);
  let tokens = measuredTokens(context.messages[at] as AssistantMessage);
  for (let next = at + 1; next < context.messages.length; next++) {
    tokens += messageTokens(context.messages[next]!);
  }
  return Math.max(0, tokens - context.prunedSinceReply);
}

/** Measured by estimated tokens: above 1 where the estimate is too low. 1 where none is known. */
export function usageRatio(context: Context, overhead: number): number {
  const at = lastMeasured(context);
  if (at === undefined) return 1;
  const measured = measuredTokens(context.messages[at] as AssistantMessage);
  const estimated =
    overhead + messagesTokens(context.messages.slice(0, at + 1)) + context.prunedSinceReply;
  return Math.min(MAX_RATIO, Math.max(MIN_RATIO, measured / estimated));
}

/** A reply from before the latest compaction was measured on a longer context than this one. */
function lastMeasured(context: Context): number | undefined {
  for (let at = context.messages.length - 1; at >= context.sinceCompaction; at--) {
    const message = context.messages[at]!;
    if (message.role === "assistant" && measuredTokens(message) > 0) return at;
  }
  return undefined;
}
