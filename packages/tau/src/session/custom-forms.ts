// What a message is in the log, if it is not somebody's word but an extension's or a feature's own: its
// kind, whether people see it, and what only its owner understands. It goes with the message until both
// are in the log, however the message gets into the conversation.

import type { SaidMessage } from "@tau/agent/mail";
import { customMessages } from "./context/said-messages.ts";
import type { CustomMessageEntry, MailEntry } from "./entry.ts";

export type CustomForm = Pick<
  CustomMessageEntry,
  "customType" | "display" | "attribution" | "details" | "isText"
>;

export class CustomForms {
  readonly #forms = new WeakMap<object, CustomForm>();

  /** The message as a model gets it, now and when the log is read again. */
  say(form: CustomForm, content: CustomMessageEntry["content"]): SaidMessage {
    const now = new Date().toISOString();
    const [message] = customMessages({ ...form, content, timestamp: now });
    this.#forms.set(message!, form);
    return message as SaidMessage;
  }

  /** Of messages that waited while no process had the session open. */
  restore(mails: readonly Pick<MailEntry, "message" | "custom">[]): void {
    for (const { message, custom } of mails) {
      if (message && custom) this.#forms.set(message, custom);
    }
  }

  of(message: object): CustomForm | undefined {
    return this.#forms.get(message);
  }
}
