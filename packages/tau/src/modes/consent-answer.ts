// What a person's word on a call means, and what the model is told where it is no. Every front-end
// asks in its own way and answers with this.

import type { Approval, ApprovalQuestion } from "@tau/agent/judge-call";

export const VERDICTS = [
  "once",
  "edits",
  "session",
  "always",
  "everywhere",
  "no",
  "abort",
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What can be said to it, in the order in which it is offered. */
export function verdictsFor({ scopes }: Pick<ApprovalQuestion, "scopes">): Verdict[] {
  const isSayable = (verdict: Verdict): boolean =>
    verdict === "once" || verdict === "no" || verdict === "abort" || scopes.includes(verdict);
  return VERDICTS.filter(isSayable);
}

/** `words`: what the person said with a no. */
export function answerFor(question: ApprovalQuestion, verdict: Verdict, words?: string): Approval {
  switch (verdict) {
    case "once":
      return { allowed: true };
    case "edits":
    case "session":
    case "always":
    case "everywhere":
      return { allowed: true, remember: verdict };
    case "no":
      return { allowed: false, reason: refusal(question, words) };
    case "abort":
      return { allowed: false, reason: "The user stopped the run at this question." };
  }
}

export function whyAsked({ reasons }: ApprovalQuestion): string {
  return reasons.map(({ reason }) => reason).join("; ");
}

function refusal(question: ApprovalQuestion, words: string | undefined): string {
  if (words) return `The user said no, and: ${words}`;
  return `The user said no (${whyAsked(question)}). Do not try it another way; ask what to do.`;
}
