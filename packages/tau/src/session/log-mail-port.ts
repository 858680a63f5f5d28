// Keeps durable mail in the session's log, so that what was queued when the process ended is
// queued again when the session is opened.

import type { Mail } from "@tau/agent/mail";
import type { MailPort } from "@tau/agent/mailbox";
import type { NewEntry } from "./entry.ts";
import type { TypedWords } from "./typed-words.ts";

export function createLogMailPort(
  append: (entries: NewEntry[]) => Promise<void>,
  typed: Pick<TypedWords, "of">,
): MailPort {
  const settle = (ids: readonly string[], state: "delivered" | "withdrawn") =>
    append(ids.map((mailId): NewEntry => ({ type: "mail", mailId, state })));
  return {
    queued: (mail) => append([queuedEntry(mail, typed.of(mail.message))]),
    delivered: (ids) => settle(ids, "delivered"),
    withdrawn: (ids) => settle(ids, "withdrawn"),
  };
}

function queuedEntry(mail: Mail, typed: string | undefined): NewEntry {
  const { id: mailId, delivery, message, sender, isPatient } = mail;
  return {
    type: "mail",
    mailId,
    state: "queued",
    delivery,
    message,
    sender: sender === "user" ? undefined : sender,
    typed,
    isPatient: isPatient ? true : undefined,
  };
}
