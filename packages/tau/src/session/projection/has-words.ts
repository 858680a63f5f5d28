// Whether there is anything to see of a reply: many models send a line break before a call.

import type { AssistantMessage } from "@tau/ai/message";

export function hasWords({ content }: AssistantMessage): boolean {
  return content.some((block) => block.type === "toolCall" || block.text.trim() !== "");
}
