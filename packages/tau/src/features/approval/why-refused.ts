// Which word of the settings refuses a call, and where it stands, so that whoever wonders finds it.

import type { CallAssessment } from "@tau/agent/tool";
import { lastFitting, printRule, type RuledPart } from "./approval-rule.ts";
import type { Consent } from "./decide.ts";
import { ruleOnHosts } from "./host-rules.ts";
import { ruleOnReads } from "./read-rules.ts";
import { ruleOnChanges } from "./write-rules.ts";

/** `deny bash(git push*), tools.rules in /home/ada/.tau/agent/config.yml` */
export function whyRefused(
  tool: string,
  { call, parts }: { call: CallAssessment; parts: readonly RuledPart[] },
  { rules, session = [], foreign = [], policySource }: Consent,
): string {
  const lists = [[...rules, ...session], ...foreign];
  const own = lists.flatMap((list) =>
    parts.flatMap((part) => list[lastFitting(list, tool, part)] ?? []),
  );
  const touched = [
    ruleOnHosts(call.hosts ?? [], lists),
    ruleOnReads(call.reads ?? [], lists),
    ruleOnChanges(call.changes ?? [], lists),
  ];
  const rule = [...own, ...touched].find((one) => one?.verdict === "deny");
  return rule
    ? placed(rule.text ?? printRule(rule), rule.origin)
    : placed(`tools.approval.${tool}: deny`, policySource);
}

function placed(words: string, origin: string | undefined): string {
  return origin === undefined ? words : `${words}, in ${origin}`;
}
