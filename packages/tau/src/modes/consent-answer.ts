// What a person's word on a call means, and what the model is told where it is no. Every front-end
// asks in its own way and answers with this.

import type { Approval, ApprovalQuestion } from "@tau/agent/judge-call";

export const VERDICTS = ["once", "session", "always", "no", "abort"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** `words`: what the person said with a no. */
export function answerFor(question: ApprovalQuestion, verdict: Verdict, words?: string): Approval {
  switch (verdict) {
    case "once":
      return { allowed: true };
    case "session":
    case "always":
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
