// Which secrets the tools of a session have read. Reading them is free, and so is most of what uses
// the network; one after the other is how a secret leaves the machine, and asks.

import type { CallAssessment } from "@tau/agent/tool";

/** More than a person reads; how many were left out is said. */
const MAX_NAMED = 3;
/** A session that reads more has read enough to be asked about everything that sends. */
const MAX_KEPT = 1000;

export class ReadSecrets {
  /** Each with what it is: "/home/me/.netrc, credentials". */
  readonly #read = new Set<string>();

  get count(): number {
    return this.#read.size;
  }

  /** From when the call is judged: those beside it are judged before it runs. */
  note(secrets: Iterable<string>): void {
    for (const secret of secrets) if (this.#read.size < MAX_KEPT) this.#read.add(secret);
  }

  /** Why a call that can send in this way asks; what it reads itself is judged with it. */
  reasonAgainst(way: string, own: readonly string[] = []): string | undefined {
    const before = [...this.#read].filter((secret) => !own.includes(secret));
    if (before.length === 0) return undefined;
    const more = before.length - MAX_NAMED;
    const named = before.slice(0, MAX_NAMED).join("; ");
    return `${way} after a secret was read (${named}${more > 0 ? `; ${more} more` : ""})`;
  }
}

/** The assessment with one more reason to ask, if there is one. */
export function withReason(call: CallAssessment, reason: string | undefined): CallAssessment {
  if (reason === undefined) return call;
  return { ...call, guard: call.guard === undefined ? reason : `${call.guard}; ${reason}` };
}
