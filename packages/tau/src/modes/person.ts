// Who is asked for consent: a session is opened before there is a screen to ask on, and the
// screen says later how it asks.

import type { Approval, ApprovalQuestion } from "@tau/agent/judge-call";

export type AskPerson = (question: ApprovalQuestion, signal: AbortSignal) => Promise<Approval>;

export class PersonAtTerminal {
  #ask: AskPerson | undefined;

  answerWith(ask: AskPerson): void {
    this.#ask = ask;
  }

  async ask(question: ApprovalQuestion, signal: AbortSignal): Promise<Approval> {
    if (!this.#ask) return { allowed: false, reason: "Nobody can be asked yet." };
    return this.#ask(question, signal);
  }
}
