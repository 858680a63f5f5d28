// Rules about the machines that a call talks to: `deny host(*.example.com)`, whichever tool it is.

import { strictest, verdictFor, type ApprovalRule, type Verdict } from "./approval-rule.ts";

/** In a rule, where otherwise the name of a tool stands. */
export const HOST = "host";

/** The strictest word on any of them; a name stands for all that is below it unless it is allowed. */
export function verdictOnHosts(
  hosts: readonly string[],
  lists: readonly (readonly ApprovalRule[])[],
): Exclude<Verdict, "allow"> | undefined {
  const verdicts = hosts.flatMap((host) => {
    const subject = host.toLowerCase();
    return lists.map((rules) => verdictFor(rules, HOST, { subject, spellings: above(subject) }));
  });
  const found = strictest(verdicts);
  return found === "allow" ? undefined : found;
}

/** `a.b.example.com`: `b.example.com`, `example.com`. */
function above(host: string): string[] {
  const labels = host.split(".");
  return labels.slice(1, -1).map((_label, at) => labels.slice(at + 1).join("."));
}
