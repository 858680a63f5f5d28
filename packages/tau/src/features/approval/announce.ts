// A word to whoever watches, before a call is put to a person and after: something waits for somebody,
// and what became of it.

import type { Approval, Asker } from "@tau/agent/judge-call";
import type { SessionHost } from "../../session/session-host.ts";

export function announced(ask: Asker, { notify }: Pick<SessionHost, "notify">): Asker {
  return async (question, options) => {
    const { call, tier, subjects, rules } = question;
    const reasons = question.reasons.map(({ reason }) => reason);
    notify({ type: "approval_start", call, reasons, tier, subjects, rules });
    let answer: Approval = { allowed: false };
    try {
      answer = await ask(question, options);
      return answer;
    } finally {
      const about = { callId: call.id, tool: call.name, subjects };
      notify({ type: "approval_end", ...about, ...outcomeOf(answer, rules) });
    }
  };
}

function outcomeOf(answer: Approval, rules: readonly string[]) {
  if (!answer.allowed) return { allowed: false, reason: answer.reason };
  const { remember } = answer;
  return { allowed: true, scope: remember ?? ("once" as const), rules: remember && rules };
}
