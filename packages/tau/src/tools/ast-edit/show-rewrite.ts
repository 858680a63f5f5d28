// A structural rewrite before it is made, as the model sees it: the lines that go and the lines
// that come, file by file within what may be shown, and the rest by name and number.

import { compactDiff } from "@tau/hashline/compact-diff";
import { count } from "../ast-grep/count.ts";
import { fileHeading } from "../ast-grep/show-matches.ts";
import { describeIssues } from "../ast-grep/syntax-issues.ts";
import type { Sources } from "../ast-grep/find-sources.ts";
import type { Workspace } from "../workspace.ts";
import type { RewritePlan } from "./plan-rewrite.ts";

/** As a search shows. */
export const SHOWN_FILES = 20;
/** The names of the others fit below it. */
const MAX_DIFF_BYTES = 40 * 1024;
const NAMED_FILES = 100;

export async function showRewrite(
  workspace: Workspace,
  { changes, replacements, end }: RewritePlan,
): Promise<string> {
  const sections: string[] = [];
  let bytes = 0;
  for (const { path, before, after } of changes.slice(0, SHOWN_FILES)) {
    const diff = compactDiff(before, after);
    bytes += Buffer.byteLength(diff);
    if (bytes > MAX_DIFF_BYTES && sections.length > 0) break;
    sections.push(`${await fileHeading(workspace, path, before)}\n${diff}`);
  }
  const rest = changes.slice(sections.length);
  if (rest.length > 0) {
    const named = rest
      .slice(0, NAMED_FILES)
      .map(({ path, edits }) => `${workspace.files.shown(path)} (${edits.length})`);
    if (rest.length > NAMED_FILES) named.push(`and ${rest.length - NAMED_FILES} more files`);
    sections.push(`Not shown, with the number of replacements: ${named.join(", ")}`);
  }
  const where = `${count(changes.length, "file")} (${count(end.files, "file")} searched)`;
  sections.push(`${count(replacements, "replacement")} in ${where}.`);
  return sections.join("\n\n");
}

/** What kept it from files or patterns, a row each. */
export function rewriteIssues(
  workspace: Workspace,
  { end, failures, generated, limitReached }: RewritePlan,
  sources: Sources,
): string[] {
  const shown = (path: string): string => workspace.files.shown(path);
  return [
    ...(limitReached || sources.isCut ? ["Limit reached; narrow paths."] : []),
    ...sources.notes,
    ...(sources.missing.length > 0 ? [`Not found: ${sources.missing.join(", ")}`] : []),
    ...generated.slice(0, SHOWN_FILES),
    ...describeIssues(
      {
        problems: end.problems,
        files: failures,
        fitsElsewhere: ({ operation }) =>
          operation !== undefined && !end.fitsNowhere.includes(operation),
      },
      shown,
    ),
  ];
}
