// Rules that hold in one project only. They are in the user's own settings, by directory: a rule in
// the project's files would be the project's word, and somebody else may have written those.

import { canonicalPath } from "../../base/same-directory.ts";

export const PROJECT_RULES = "tools.projectRules";

/** What the user's settings say about calls in this directory, as written there. */
export function rulesOfProject(
  all: Readonly<Record<string, unknown>>,
  project: string | undefined,
): unknown[] {
  if (project === undefined) return [];
  const root = canonicalPath(project);
  return Object.entries(all).flatMap(([directory, rules]) =>
    Array.isArray(rules) && canonicalPath(directory) === root ? (rules as unknown[]) : [],
  );
}

/** Under which name the settings have it: the one that is there, or where it really is. */
export function projectName(all: Readonly<Record<string, unknown>>, project: string): string {
  const root = canonicalPath(project);
  return Object.keys(all).find((directory) => canonicalPath(directory) === root) ?? root;
}
