// A file written for another program has dozens of settings that Tau does not know. The first of them
// are told one by one; the rest in one line, so that what matters is not lost among them.

import type { ConfigProblem } from "../base/config-problem.ts";

/** Enough to see what kind of settings they are. */
const MAX_TOLD = 3;

/** `unknown`: those of the problems that close nothing and are only told. */
export function foldUnknown(
  problems: readonly ConfigProblem[],
  unknown: ReadonlySet<ConfigProblem>,
): ConfigProblem[] {
  const rest = problems.filter((one) => unknown.has(one)).slice(MAX_TOLD);
  const [first] = rest;
  // One line in the place of one would say less.
  if (!first || rest.length === 1) return [...problems];
  const lines = [...new Set(rest.flatMap(({ line }) => line ?? []))].toSorted((a, b) => a - b);
  const message = `${rest.length} more settings are unknown (lines ${spans(lines)})`;
  const folded: ConfigProblem = { file: first.file, severity: "warning", message };
  return [...problems.filter((one) => !rest.includes(one)), folded];
}

/** `4, 7–9` */
function spans(lines: readonly number[]): string {
  const found: { from: number; to: number }[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last && line === last.to + 1) last.to = line;
    else found.push({ from: line, to: line });
  }
  return found.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}
