// The mailbox as people see it: what waits, and its words.

import type { Mail } from "@tau/agent/mail";
import { textOf } from "@tau/ai/message";
import type { QueuedMessage } from "./session-event.ts";

export function describeQueue(mails: readonly Mail[]): QueuedMessage[] {
  return mails.map(({ id, delivery, sender, message }) => ({
    id,
    delivery,
    sender,
    text: textOf(message),
  }));
}
