// Rules about files that are read: `deny read(.env)` is meant whichever tool reads it, a command too.

import { strictest, verdictFor, type ApprovalRule, type Verdict } from "./approval-rule.ts";

const READ = "read";

/** The strictest word on any of the files; reading that is allowed needs no leave. */
export function verdictOnReads(
  reads: readonly (readonly string[])[],
  lists: readonly (readonly ApprovalRule[])[],
): Exclude<Verdict, "allow"> | undefined {
  if (reads.length === 0) return undefined;
  // A word on the whole tool is about its own calls.
  const about = lists.map((rules) =>
    rules.filter((rule) => rule.tool === READ && (rule.paths ?? rule.subject) !== undefined),
  );
  const found = strictest(
    reads.flatMap(([subject = "", ...spellings]) =>
      about.map((rules) => verdictFor(rules, READ, { subject, spellings })),
    ),
  );
  return found === "allow" ? undefined : found;
}
