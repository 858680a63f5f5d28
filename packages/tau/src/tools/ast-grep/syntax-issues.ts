// What kept a structural search or rewrite from some files, in few lines: a language that the
// pattern is no code of is told once, files one by one up to a number.

import type { FileFailure } from "@tau/host/syntax/file-run";
import type { SyntaxFailure } from "@tau/host/syntax/syntax-failure";

/** More of them tell nothing new. */
const MAX_ISSUES = 20;

export interface LanguageProblem {
  language: string;
  failure: SyntaxFailure;
  /** Which of several patterns, from 0. */
  operation?: number;
}

/** Of a pattern that is no code of a language: of little interest where it fits another one. */
const UNFIT: ReadonlySet<string> = new Set(["bad_pattern", "bad_rule"]);

export interface Issues {
  problems: readonly LanguageProblem[];
  files: readonly FileFailure[];
  /** Whether a pattern fits some other language among the files. */
  fitsElsewhere(problem: LanguageProblem): boolean;
}

export function describeIssues(
  { problems, files, fitsElsewhere }: Issues,
  shown: (path: string) => string,
): string[] {
  const aside = problems.filter(
    (problem) => UNFIT.has(problem.failure.code) && fitsElsewhere(problem),
  );
  const rows = problems
    .filter((problem) => !aside.includes(problem))
    .map(
      ({ language, failure, operation }) =>
        `${operation === undefined ? "" : `ops[${operation}], `}${language}: ${failure.message}`,
    );
  for (const { path, failure } of files) {
    const name = shown(path);
    const said = failure.message.replaceAll(path, name);
    rows.push(said.startsWith(name) ? said : `${name}: ${said}`);
  }
  const kept = rows.length > MAX_ISSUES ? rows.slice(0, MAX_ISSUES) : rows;
  if (kept.length < rows.length) kept.push(`and ${rows.length - kept.length} more`);
  if (aside.length > 0) {
    const names = [...new Set(aside.map(({ language }) => language))].join(", ");
    kept.push(`Passed over in ${names}: the pattern is not valid code there.`);
  }
  return kept;
}
