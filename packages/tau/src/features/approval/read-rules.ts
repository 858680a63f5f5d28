// Rules about files that are read: `deny read(.env)` is meant whichever tool reads it, a command too.

import { strictestRule, type ApprovalRule } from "./approval-rule.ts";

const READ = "read";

/** The strictest word on any of the files; reading that is allowed needs no leave. */
export function ruleOnReads(
  reads: readonly (readonly string[])[],
  lists: readonly (readonly ApprovalRule[])[],
): ApprovalRule | undefined {
  if (reads.length === 0) return undefined;
  // A word on the whole tool is about its own calls.
  const about = lists.map((rules) =>
    rules.filter((rule) => rule.tool === READ && (rule.paths ?? rule.subject) !== undefined),
  );
  return strictestRule(about, READ, reads);
}
