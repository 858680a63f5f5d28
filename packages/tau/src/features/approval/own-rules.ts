// What the user's own rules say to a call. One that allows a danger has to be about exactly what the call
// does: its words, if they alone say it, or else those that a remembered yes was put down in (`exact`). A
// rule with a star was written by a person who meant more than one call.

import type { CallAssessment } from "@tau/agent/tool";
import {
  isLiteral,
  lastFitting,
  type ApprovalRule,
  type RuledPart,
  type Verdict,
} from "./approval-rule.ts";

/** Part by part. */
export function ownVerdicts(
  rules: readonly ApprovalRule[],
  tool: string,
  { call, parts }: { call: CallAssessment; parts: readonly RuledPart[] },
): (Verdict | undefined)[] {
  const { exact, guard } = call;
  const agreedAt = exact === undefined ? -1 : agreementTo(rules, tool, exact);
  return parts.map((part) => {
    const isMeant = (rule: ApprovalRule): boolean =>
      guard === undefined ||
      exact === undefined ||
      rule.verdict !== "allow" ||
      !isLiteral(rule) ||
      exact.includes(part.subject);
    const about = rules.map((rule) => (isMeant(rule) ? rule : NOTHING));
    const at = lastFitting(about, tool, part);
    return agreedAt > at ? "allow" : about[at]?.verdict;
  });
}

/** In the place of a rule that does not count here. */
const NOTHING: ApprovalRule = { verdict: "allow", tool: "" };

/** Where the first of the rules stands that together allow all of it; -1 if they do not. */
function agreementTo(
  rules: readonly ApprovalRule[],
  tool: string,
  exact: readonly string[],
): number {
  // `rm *` is about one command, not about a line that begins with it.
  const about = rules.map((rule) => (rule.verdict === "allow" && isLiteral(rule) ? rule : NOTHING));
  const places = exact.map((subject) => lastFitting(about, tool, { subject }));
  return places.length === 0 ? -1 : Math.min(...places);
}
