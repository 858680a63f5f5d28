// What calls were judged as, and whether that still holds when they run. All calls of a reply are
// judged before the first of them runs, and one may change what another one means: a `cd`, an
// alias, a link. A call that has become worse than what was agreed to does not run.

import type { CallAssessment, ToolTier } from "@tau/agent/tool";

export type Decided = "allow" | "ask" | "block";

const TIERS: readonly ToolTier[] = ["read", "write", "exec"];

export class CallConsent {
  /** What the session would say to such a call now; absent if it asks about nothing. */
  decide: ((tool: string, call: CallAssessment) => Decided) | undefined;
  /** Whether there are files that may not be read, or not without a question. */
  refusesReads = false;
  /** What the approval mode is now, if there is one. */
  mode: (() => string) | undefined;
  /** Calls, by id, that a hook of the user's own has allowed: their mode does not ask about them. */
  readonly allowedByHook = new Set<string>();
  readonly #judged = new WeakMap<object, CallAssessment>();

  /** By the parameters, which are the same object when the call runs. */
  judged(params: unknown, assessment: CallAssessment): CallAssessment {
    if (typeof params === "object" && params !== null) this.#judged.set(params, assessment);
    return assessment;
  }

  /** Whether a call that was let through may run as what it is now. */
  stillHolds(tool: string, params: object, now: CallAssessment): boolean {
    const before = this.#judged.get(params);
    if (!before || this.mayDo(tool, now)) return true;
    return (
      now.guard === before.guard &&
      TIERS.indexOf(now.tier) <= TIERS.indexOf(before.tier) &&
      now.subjects.every((subject) => before.subjects.includes(subject))
    );
  }

  /** Whether the call was let through in spite of something that asks. */
  hasGuard(params: object): boolean {
    return this.#judged.get(params)?.guard !== undefined;
  }

  /** Whether it may be done without asking anybody. */
  mayDo(tool: string, call: CallAssessment): boolean {
    return this.decide === undefined || this.decide(tool, call) === "allow";
  }
}
