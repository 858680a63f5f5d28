// Rules about files that are changed: `deny write(*.lock)` is meant whichever tool creates, overwrites
// or deletes such a file, a command and the code of a cell too.

import { strictestRule, type ApprovalRule } from "./approval-rule.ts";

/** In rules: to whoever may not write a file, editing it is writing too. */
export const WRITERS: readonly string[] = ["write", "edit", "ast_edit"];
const WRITE = "write";

/** The strictest word on any of the files, if it does not allow. */
export function ruleOnChanges(
  changes: readonly (readonly string[])[],
  lists: readonly (readonly ApprovalRule[])[],
): ApprovalRule | undefined {
  if (changes.length === 0) return undefined;
  // A word on the whole tool is about its own calls.
  const about = lists.map((rules) =>
    rules.flatMap((rule) => {
      const about = rule.paths ?? rule.subject ?? rule.outside;
      const isAbout = about !== undefined && WRITERS.includes(rule.tool);
      return isAbout ? [{ ...rule, tool: WRITE }] : [];
    }),
  );
  return strictestRule(about, WRITE, changes);
}
