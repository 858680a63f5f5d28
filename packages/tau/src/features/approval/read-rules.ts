// Rules about files that are read: `deny read(.env)` is meant whichever tool reads it, a command too.

import { strictestRule, type ApprovalRule } from "./approval-rule.ts";

const READ = "read";

/** The strictest word on any of the files; reading that is allowed needs no leave. */
export function ruleOnReads(
  reads: readonly (readonly string[])[],
  lists: readonly (readonly ApprovalRule[])[],
): ApprovalRule | undefined {
  if (reads.length === 0) return undefined;
  return strictestRule(
    lists.map((rules) => rules.filter(isAboutFiles)),
    READ,
    reads,
  );
}

/** A word on the whole tool is about its own calls. */
function isAboutFiles({ tool, paths, subject, outside }: ApprovalRule): boolean {
  return tool === READ && (paths ?? subject ?? outside) !== undefined;
}

/** Addresses are no files. */
const ADDRESS = /^https?:/;

export function refusesSomeReads(lists: readonly (readonly ApprovalRule[])[]): boolean {
  return lists
    .flat()
    .some(
      (rule) => isAboutFiles(rule) && rule.verdict !== "allow" && !ADDRESS.test(rule.subject ?? ""),
    );
}
