// Turns claimed mail into messages of the conversation: the message and the fact that it
// arrived are one record, so that a crash can neither lose a mail nor deliver it twice.

import type { Message } from "@tau/ai/message";
import type { AgentEvent } from "./event.ts";
import type { Mail } from "./mail.ts";
import type { Mailbox } from "./mailbox.ts";
import type { Transcript } from "./transcript.ts";

export interface MailRound {
  transcript: Transcript;
  mailbox: Mailbox | undefined;
  emit: (event: AgentEvent) => void;
}

/** Appends the mails' messages and, behind them, `others`, in one record. */
export async function deliverMail(
  { transcript, mailbox, emit }: MailRound,
  mails: readonly Mail[],
  others: readonly Message[] = [],
): Promise<void> {
  const messages = [...mails.map((mail) => mail.message), ...others];
  try {
    await transcript.append(messages, { mails });
  } catch (error) {
    mailbox?.release(mails);
    throw error;
  }
  if (mails.length === 0) return;
  if (transcript.isRecorded) mailbox!.settle(mails);
  else await mailbox!.deliver(mails);
  emit({ type: "mail_delivered", mailIds: mails.map((mail) => mail.id) });
}
