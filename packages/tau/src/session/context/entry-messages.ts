// What one entry puts before the model. The same entry always gives the same message
// objects: what was sent once is sent again byte for byte, so that vendors' prompt caches
// hit, and whatever is worked out per message is worked out once.

import type { Message } from "@tau/ai/message";
import type { MessageEntry, SessionEntry } from "../entry.ts";
import { kindOf } from "../entry-kinds.ts";
import { messageTokens } from "../../base/message-tokens.ts";

const whole = new WeakMap<SessionEntry, readonly Message[]>();
const pruned = new WeakMap<SessionEntry, readonly Message[]>();

/** Nothing for an entry that is not context, whatever its type. */
export function messagesOf(
  entry: SessionEntry,
  prunedIds?: ReadonlySet<string>,
): readonly Message[] {
  if (entry.type === "message" && isResult(entry) && prunedIds?.has(entry.id)) {
    return remembered(pruned, entry, () => [withoutOutput(entry.message)]);
  }
  return remembered(whole, entry, () => kindOf(entry).messages(entry));
}

function remembered(
  memory: WeakMap<SessionEntry, readonly Message[]>,
  entry: SessionEntry,
  make: () => readonly Message[],
): readonly Message[] {
  let messages = memory.get(entry);
  if (messages === undefined) {
    messages = make();
    memory.set(entry, messages);
  }
  return messages;
}

type ResultEntry = MessageEntry & { message: { role: "toolResult" } };

export function isResult(entry: SessionEntry): entry is ResultEntry {
  return entry.type === "message" && entry.message.role === "toolResult";
}

/** The call stays answered; only what the answer said is gone. */
function withoutOutput(message: ResultEntry["message"]): Message {
  const text = `[Output truncated - ${messageTokens(message)} tokens] Call the tool again if you need it.`;
  return { ...message, content: [{ type: "text", text }] };
}
