// Keeps durable mail in the session's log, so that what was queued when the process ended is
// queued again when the session is opened.

import type { Mail } from "@tau/agent/mail";
import type { MailPort } from "@tau/agent/mailbox";
import type { NewEntry } from "./entry.ts";

export function createLogMailPort(append: (entries: NewEntry[]) => Promise<void>): MailPort {
  const settle = (ids: readonly string[], state: "delivered" | "withdrawn") =>
    append(ids.map((mailId): NewEntry => ({ type: "mail", mailId, state })));
  return {
    queued: (mail) => append([queuedEntry(mail)]),
    delivered: (ids) => settle(ids, "delivered"),
    withdrawn: (ids) => settle(ids, "withdrawn"),
  };
}

function queuedEntry({ id, delivery, message, sender, isPatient }: Mail): NewEntry {
  return {
    type: "mail",
    mailId: id,
    state: "queued",
    delivery,
    message,
    ...(sender === "user" ? {} : { sender }),
    ...(isPatient ? { isPatient } : {}),
  };
}
