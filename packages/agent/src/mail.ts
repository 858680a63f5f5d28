// A message on its way to an agent: what it is, how it is to arrive, and how the log's
// account of it is read back after a restart.

import type { DeveloperMessage, UserMessage } from "@tau/ai/message";

/**
 * `steer`: into the run that is on, as soon as it can take it. `followUp`: when the run
 * would be done. `nextTurn`: together with the next prompt; it never starts a run.
 */
export type Delivery = "steer" | "followUp" | "nextTurn";

/** What people, programs and behaviours may say in a conversation. */
export type SaidMessage = UserMessage | DeveloperMessage;

export type MailState = "queued" | "delivered" | "withdrawn";

export interface Mail {
  readonly id: string;
  readonly delivery: Delivery;
  readonly message: SaidMessage;
  /** Who sent it, for whoever shows it: `user`, `job`, an agent's or extension's name. */
  readonly sender: string;
  /** Survives a restart; everything else dies with the process. */
  readonly isDurable: boolean;
  /** Steering that does not cut a turn's calls short: notes and results, not a change of mind. */
  readonly isPatient: boolean;
  readonly state: MailState;
}

/** What the log keeps of a mail's life, one record a change. */
export interface MailRecord {
  mailId: string;
  state: MailState;
  delivery?: Delivery;
  message?: { role: string };
  sender?: string;
  isPatient?: boolean;
}

/** The mail that a log holds and that never arrived, oldest first. */
export function undelivered(records: Iterable<MailRecord>): PendingMail[] {
  const pending = new Map<string, PendingMail>();
  const settled = new Set<string>();
  for (const { mailId, state, delivery, message, sender, isPatient } of records) {
    if (state !== "queued") {
      settled.add(mailId);
      pending.delete(mailId);
    } else if (delivery && message && !settled.has(mailId)) {
      pending.set(mailId, {
        id: mailId,
        delivery,
        message: message as SaidMessage,
        sender: sender ?? "user",
        isPatient: isPatient ?? false,
      });
    }
  }
  return [...pending.values()];
}

export type PendingMail = Pick<Mail, "id" | "delivery" | "message" | "sender" | "isPatient">;
