// Puts a call to a person: through whoever of the session's members wants to know of it, and with word
// of whose question it is.

import type { Asker, Origin } from "@tau/agent/judge-call";
import type { SessionMember } from "./session-host.ts";

export function askThrough(
  ask: Asker,
  { members, origin }: { members: readonly SessionMember[]; origin: Origin },
): Asker {
  const own: Asker = (question, options) => ask({ ...question, origin }, options);
  return members.reduce((inner, { asking }) => asking?.(inner) ?? inner, own);
}
