// Rules that hold in one project only. They are in the user's own settings, by directory: a rule in
// the project's files would be the project's word, and somebody else may have written those.

import { canonicalPath } from "../../base/same-directory.ts";

export const PROJECT_RULES = "tools.projectRules";

/** What the user's settings say about calls in these directories, as written there. */
export function rulesOfProject(
  all: Readonly<Record<string, unknown>>,
  ...projects: readonly (string | undefined)[]
): unknown[] {
  const roots = new Set(projects.flatMap((one) => (one === undefined ? [] : canonicalPath(one))));
  return Object.entries(all).flatMap(([directory, rules]) =>
    Array.isArray(rules) && roots.has(canonicalPath(directory)) ? (rules as unknown[]) : [],
  );
}

/** Under which name the settings have it: the one that is there, or where it really is. */
export function projectName(all: Readonly<Record<string, unknown>>, project: string): string {
  const root = canonicalPath(project);
  return Object.keys(all).find((directory) => canonicalPath(directory) === root) ?? root;
}
