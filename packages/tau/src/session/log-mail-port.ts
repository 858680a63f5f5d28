// Keeps durable mail in the session's log, so that what was queued when the process ended is
// queued again when the session is opened.

import type { Mail } from "@tau/agent/mail";
import type { MailPort } from "@tau/agent/mailbox";
import type { NewEntry } from "./entry.ts";
import type { TypedWords } from "./typed-words.ts";

export function createLogMailPort(
  append: (entries: NewEntry[]) => Promise<void>,
  said: Pick<TypedWords, "of" | "custom">,
): MailPort {
  const settle = (ids: readonly string[], state: "delivered" | "withdrawn") =>
    append(ids.map((mailId): NewEntry => ({ type: "mail", mailId, state })));
  return {
    queued: (mail) => {
      const { message } = mail;
      const typed = said.of(message);
      const custom = said.custom.of(message);
      return append([{ ...queuedEntry(mail), typed, custom }]);
    },
    delivered: (ids) => settle(ids, "delivered"),
    withdrawn: (ids) => settle(ids, "withdrawn"),
  };
}

function queuedEntry(mail: Mail): Extract<NewEntry, { type: "mail" }> {
  const { id: mailId, delivery, message, sender, isPatient } = mail;
  return {
    type: "mail",
    mailId,
    state: "queued",
    delivery,
    message,
    sender: sender === "user" ? undefined : sender,
    isPatient: isPatient ? true : undefined,
  };
}
