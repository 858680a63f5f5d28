// Rules about the machines that a call talks to: `deny host(*.example.com)`, whichever tool it is.

import { printRule, strictestRule, type ApprovalRule } from "./approval-rule.ts";

/** In a rule, where otherwise the name of a tool stands. */
export const HOST = "host";

/** The strictest word on any of them; a name stands for all that is below it unless it is allowed. */
export function ruleOnHosts(
  hosts: readonly string[],
  lists: readonly (readonly ApprovalRule[])[],
): ApprovalRule | undefined {
  const named = hosts.map((host) => host.toLowerCase()).map((host) => [host, ...above(host)]);
  return strictestRule(lists, HOST, named);
}

const OTHER_NAMES = /^(?:web_?)?fetch$/i;

/** `deny webfetch(domain:evil.example)`, as other programs put it; of all hosts if it names none. */
export function webRule(rule: ApprovalRule): ApprovalRule | undefined {
  const { tool, subject = "domain:*", verdict } = rule;
  const host = /^domain:\s*(\S+)$/i.exec(subject.trim())?.[1];
  if (verdict === "allow" || host === undefined || !OTHER_NAMES.test(tool)) return undefined;
  return { verdict, tool: HOST, subject: host.toLowerCase(), text: printRule(rule) };
}

/** `a.b.example.com`: `b.example.com`, `example.com`. */
function above(host: string): string[] {
  const labels = host.split(".");
  return labels.slice(1, -1).map((_label, at) => labels.slice(at + 1).join("."));
}
