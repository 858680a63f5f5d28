// What people have seen of a reply that does not count: its words and thoughts. What was said stays on the
// screen, so it stays in the log; its calls were never made.

import type { AssistantMessage } from "@tau/ai/message";
import type { BrokenReply } from "./session-event.ts";
import type { ThinkingClock } from "./thinking-clock.ts";

/** Undefined if there was nothing to see. */
export function brokenReply(
  { provider, model, content }: AssistantMessage,
  { took = [] }: Pick<ThinkingClock, "took">,
): BrokenReply | undefined {
  let thoughts = 0;
  const said = content.flatMap((block): BrokenReply["said"] => {
    if (block.type === "toolCall") return [];
    const { text } = block;
    const durationMs = block.type === "thinking" ? took[thoughts++] : undefined;
    if (text.trim() === "") return [];
    return [{ kind: block.type === "thinking" ? "thinking" : "answer", text, durationMs }];
  });
  return said.length === 0 ? undefined : { model: `${provider}/${model}`, said };
}
