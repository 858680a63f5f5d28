// Asking a person, with a word to whoever watches the session: something waits for an answer, and
// then what it was.

import type { Asker, Origin } from "@tau/agent/judge-call";
import type { SessionEvent } from "./session-event.ts";

export function tellAsking(
  ask: Asker,
  { emit, origin }: { emit: (event: SessionEvent) => void; origin: Origin },
): Asker {
  return async (question, options) => {
    const { call, tier, subjects, rules } = question;
    const reasons = question.reasons.map(({ reason }) => reason);
    emit({ type: "approval_start", call, reasons, tier, subjects, rules });
    let allowed = false;
    try {
      const answer = await ask({ ...question, origin }, options);
      ({ allowed } = answer);
      return answer;
    } finally {
      emit({ type: "approval_end", callId: call.id, allowed });
    }
  };
}
