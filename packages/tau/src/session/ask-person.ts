// Puts a call to a person, with a word to whoever watches before and after: something waits for
// somebody, and what became of it.

import type { Approval, Asker, Origin } from "@tau/agent/judge-call";
import type { SessionEvent } from "./session-event.ts";

export function announced(
  ask: Asker,
  { emit, origin }: { emit: (event: SessionEvent) => void; origin: Origin },
): Asker {
  return async (question, options) => {
    const { call, tier, subjects, rules } = question;
    const reasons = question.reasons.map(({ reason }) => reason);
    emit({ type: "approval_start", call, reasons, tier, subjects, rules });
    let answer: Approval = { allowed: false };
    try {
      answer = await ask({ ...question, origin }, options);
      return answer;
    } finally {
      const about = { callId: call.id, tool: call.name, subjects };
      emit({ type: "approval_end", ...about, ...outcomeOf(answer, rules) });
    }
  };
}

function outcomeOf(answer: Approval, rules: readonly string[]) {
  if (!answer.allowed) return { allowed: false, reason: answer.reason };
  const { remember } = answer;
  return { allowed: true, scope: remember ?? ("once" as const), rules: remember && rules };
}
