// Decides how a pattern is handed to ripgrep: as it is, with literal parentheses, or to
// the backtracking engine for look-around. What is plain is not tried beforehand; only when
// a run was refused does `verify` ask whether the pattern was at fault.

import { dirname } from "node:path";
import { runEngine } from "./engine-process.ts";
import type { PatternOptions, RunBounds } from "./line-engine.ts";
import {
  escapeLiteralBraces,
  escapeParentheses,
  hasUnbalancedGroups,
  needsBacktracking,
  spansLines,
} from "./pattern-repair.ts";
import { InvalidPatternError } from "./search-error.ts";

export interface Dialect {
  /** Everything that says what matches. */
  arguments: readonly string[];
  hasLiteralGroups: boolean;
  /** Throws `InvalidPatternError` when it is the pattern that was refused. */
  verify(bounds: RunBounds): Promise<void>;
}

type Candidate = Omit<Dialect, "verify">;

export async function usableDialect(
  program: string,
  options: PatternOptions,
  bounds: RunBounds,
): Promise<Dialect> {
  const candidates = candidatesFor(options);
  const dialects = candidates.map((candidate): Dialect => {
    const reason = (bounds: RunBounds) => refusal(program, candidate.arguments, bounds);
    return { ...candidate, verify: async (bounds) => throwFor(await reason(bounds)) };
  });
  if (dialects.length === 1) return dialects[0]!;
  let why: string | undefined;
  for (const dialect of dialects) {
    const refused = await refusal(program, dialect.arguments, bounds);
    if (refused === undefined) return dialect;
    why ??= refused;
  }
  throw new InvalidPatternError(why ?? "it cannot be compiled");
}

function candidatesFor({ pattern, ignoreCase }: PatternOptions): Candidate[] {
  const repaired = escapeLiteralBraces(pattern);
  const shared = [
    "--no-config",
    // Ends of lines are ends of lines, also in files from Windows.
    "--crlf",
    ignoreCase ? "--ignore-case" : "--case-sensitive",
  ];
  const flagsFor = (text: string): string[] => [
    ...shared,
    ...(spansLines(text) ? ["--multiline"] : []),
    `--regexp=${text}`,
  ];
  const candidates: Candidate[] = [{ arguments: flagsFor(repaired), hasLiteralGroups: false }];
  if (needsBacktracking(repaired)) {
    candidates.push({ arguments: ["--pcre2", ...flagsFor(repaired)], hasLiteralGroups: false });
  }
  if (hasUnbalancedGroups(repaired)) {
    candidates.push({ arguments: flagsFor(escapeParentheses(repaired)), hasLiteralGroups: true });
  }
  return candidates;
}

/** Why ripgrep refuses the pattern, asked over an empty input; undefined when it does not. */
async function refusal(
  program: string,
  patternArguments: readonly string[],
  bounds: RunBounds,
): Promise<string | undefined> {
  const call = {
    program,
    arguments: ["--quiet", ...patternArguments, "-"],
    cwd: dirname(program),
    onOutput: () => true,
  };
  const { exitCode, complaint } = await runEngine(call, bounds);
  return exitCode === 2 ? reasonIn(complaint) : undefined;
}

/** `error: …` is the sentence; the lines before it repeat the pattern. */
function reasonIn(complaint: string): string {
  const sentence = /^error: (.+)$/m.exec(complaint)?.[1];
  return sentence ?? complaint.replace(/^rg: /, "").split("\n\n")[0]!;
}

function throwFor(reason: string | undefined): void {
  if (reason !== undefined) throw new InvalidPatternError(reason);
}
