// What the user typed, if what the model is told is another text: a paste that stands folded in
// the prompt, a command that stands for a page; and what a message is that is nobody's word. It goes with the
// message until both are in the log.

import { textOf } from "@tau/ai/message";
import type { SaidMessage } from "@tau/agent/mail";
import { CustomForms } from "./custom-forms.ts";
import type { MailEntry } from "./entry.ts";

export class TypedWords {
  readonly #hide: <T>(value: T) => T;
  readonly #typed = new WeakMap<SaidMessage, string>();
  readonly custom = new CustomForms();

  constructor(hide: <T>(value: T) => T) {
    this.#hide = hide;
  }

  note(message: SaidMessage, typed: string | undefined): void {
    if (typed === undefined) return;
    const words = this.#hide(typed);
    if (words !== textOf(message)) this.#typed.set(message, words);
  }

  /** Of messages that waited while no process had the session open. */
  restore(mails: readonly Pick<MailEntry, "message" | "typed" | "custom">[]): void {
    for (const { message, typed } of mails) if (message) this.note(message as SaidMessage, typed);
    this.custom.restore(mails);
  }

  of(message: object): string | undefined {
    return this.#typed.get(message as SaidMessage);
  }
}
