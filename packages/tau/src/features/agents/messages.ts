// Messages between agents, through the one mailbox that each session has. A message is in one state: it
// waits, or it was waited for, told within a run, or taken from the inbox, and is then gone from the box.

import type { Mail } from "@tau/agent/mail";
import type { Mailbox } from "@tau/agent/mailbox";
import { developerText, textOf } from "@tau/ai/message";
import { MAIN } from "./agent-names.ts";
import type { AgentRegistry } from "./registry.ts";

/** What an agent may leave unread; more is refused, so that nothing that was accepted is lost. */
export const MAX_UNREAD = 100;

const PREFIX = "irc:";

export interface OutgoingMessage {
  from: string;
  to: string;
  text: string;
  replyTo?: string;
}

/** `injected`: it hears of it within its run. `woken`: it begins to work. `revived`: it was parked. */
export type Receipt =
  | { to: string; outcome: "injected" | "woken" | "revived"; id: string }
  | { to: string; outcome: "failed"; error: string };

let count = 0;

/** Short enough to be quoted, and never the same again. */
function messageId(): string {
  count = (count + 1) % 1296;
  return `${Date.now().toString(36)}${count.toString(36).padStart(2, "0")}`;
}

export async function sendMessage(
  registry: AgentRegistry,
  { from, to, text, replyTo }: OutgoingMessage,
): Promise<Receipt> {
  const before = to === MAIN ? "idle" : registry.get(to)?.state;
  try {
    const session = await registry.live(to);
    const { mailbox } = session;
    if (messagesIn(mailbox).length >= MAX_UNREAD) {
      const error = `${MAX_UNREAD} messages wait there unread; try again later`;
      return { to, outcome: "failed", error };
    }
    const outcome = before === "parked" ? "revived" : session.isBusy ? "injected" : "woken";
    const id = messageId();
    const answers = replyTo === undefined ? "" : `, answers ${replyTo}`;
    const message = session.hide(developerText(`[message ${id} from ${from}${answers}]\n${text}`));
    await mailbox.post(message, {
      id: PREFIX + id,
      sender: from,
      delivery: "steer",
      isPatient: true,
      isDurable: true,
    });
    return { to, outcome, id };
  } catch (error) {
    return { to, outcome: "failed", error: error instanceof Error ? error.message : String(error) };
  }
}

/** What others wrote and nobody has read. */
export function messagesIn(mailbox: Mailbox, from?: string): Mail[] {
  return mailbox.queued().filter((mail) => isMessage(mail, from));
}

/** Takes them: they are the caller's to tell. */
export async function takeMessages(
  mailbox: Mailbox,
  most?: number,
  from?: string,
): Promise<Mail[]> {
  const mails = mailbox.claimWhere((mail) => isMessage(mail, from), most);
  await mailbox.deliver(mails);
  return mails;
}

/** The next one, which nobody else gets then; undefined after the time, or once the signal aborts. */
export async function nextMessage(
  mailbox: Mailbox,
  { from, timeoutMs, signal }: { from?: string; timeoutMs: number; signal: AbortSignal },
): Promise<Mail | undefined> {
  const claim = (): Mail | undefined => mailbox.claimWhere((mail) => isMessage(mail, from), 1)[0];
  let mail = claim();
  if (!mail && !signal.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>();
    // Told as it comes in, before any run looks for it.
    const unsubscribe = mailbox.subscribe(({ state }) => {
      if (state === "queued" && !mail) mail = claim();
      if (mail) resolve();
    });
    const stop = (): void => resolve();
    signal.addEventListener("abort", stop, { once: true });
    const timer = timeoutMs > 0 ? setTimeout(stop, Math.min(timeoutMs, 2 ** 31 - 1)) : undefined;
    await promise;
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    unsubscribe();
  }
  if (mail) await mailbox.deliver([mail]);
  return mail;
}

export function messageText({ message }: Mail): string {
  return textOf(message);
}

/** A result counts as well: whoever waits for an agent wants to know that it is done. */
function isMessage({ id, sender }: Mail, from: string | undefined): boolean {
  if (!id.startsWith(PREFIX) && !id.startsWith("agent:")) return false;
  return from === undefined || sender.toLowerCase() === from.toLowerCase();
}
