// A word on single calls: `allow bash(git push origin*)`, `deny write(*.lock)`. A star stands for
// anything; everything else is meant as it is written.

import { fitsPath } from "./path-pattern.ts";

export type Verdict = "allow" | "prompt" | "deny";

export function isVerdict(word: unknown): word is Verdict {
  return word === "allow" || word === "prompt" || word === "deny";
}

export interface ApprovalRule {
  verdict: Verdict;
  /** Of a tool; a star stands for anything here too. */
  tool: string;
  /** Undefined: every call of the tool. */
  subject?: string;
  /** Instead of a subject: files, as another tool's patterns name them. */
  paths?: readonly string[];
  /** Instead of a subject: every file that is not below this directory. */
  outside?: string;
  /** As it was written, if it is kept in other words. */
  text?: string;
  /** The file that it is from. */
  origin?: string;
}

const RULE = /^\s*(allow|prompt|deny)\s+([^\s()]+)(?:\(([\s\S]*)\))?\s*$/;

/** Undefined if it is not a rule. */
export function parseRule(text: unknown): ApprovalRule | undefined {
  const match = typeof text === "string" ? RULE.exec(text) : null;
  if (!match) return undefined;
  const [, verdict, tool, subject] = match;
  const rule = { verdict: verdict as Verdict, tool: tool! };
  return subject === undefined ? rule : { ...rule, subject };
}

export function printRule({ verdict, tool, subject }: ApprovalRule): string {
  return subject === undefined ? `${verdict} ${tool}` : `${verdict} ${tool}(${subject})`;
}

export interface RuledPart {
  subject: string;
  spellings?: readonly string[];
}

/** The last rule that fits; one that does not allow also if it fits other words for the same. */
export function verdictFor(
  rules: readonly ApprovalRule[],
  tool: string,
  part: RuledPart,
): Verdict | undefined {
  return rules[lastFitting(rules, tool, part)]?.verdict;
}

/** Where it stands among the rules; -1 if none fits. */
export function lastFitting(
  rules: readonly ApprovalRule[],
  tool: string,
  { subject, spellings = [] }: RuledPart,
): number {
  return rules.findLastIndex((rule) => {
    if (!fits(rule.tool, tool)) return false;
    if (rule.outside !== undefined) return isOutside(subject, rule.outside);
    if (rule.paths) {
      const named = rule.verdict === "allow" ? [subject] : [subject, ...spellings];
      return named.some((one) => fitsPath(rule.paths!, one));
    }
    if (rule.subject === undefined || fits(rule.subject, subject)) return true;
    if (rule.verdict === "allow") return false;
    const patterns = [rule.subject, ...prefixPatterns(rule.subject, tool)];
    return [subject, ...spellings].some((one) => patterns.some((pattern) => fits(pattern, one)));
  });
}

/** Of things with several names, first the usual one: the strictest rule on any, if it does not allow. */
export function strictestRule(
  lists: readonly (readonly ApprovalRule[])[],
  tool: string,
  things: readonly (readonly string[])[],
): ApprovalRule | undefined {
  const found = things.flatMap(([subject = "", ...spellings]) =>
    lists.flatMap((rules) => rules[lastFitting(rules, tool, { subject, spellings })] ?? []),
  );
  return (
    found.find(({ verdict }) => verdict === "deny") ??
    found.find(({ verdict }) => verdict === "prompt")
  );
}

/** By its usual name, which is relative inside of the directory; devices are nobody's files. */
function isOutside(path: string, directory: string): boolean {
  const isBelow = path === directory || path.startsWith(`${directory}/`);
  return path.startsWith("/") && !isBelow && !/^\/(?:dev|proc)(?:\/|$)/.test(path);
}

/** Without a star: it stands for one text alone. */
export function isLiteral({ subject }: ApprovalRule): boolean {
  return subject !== undefined && splitAtStars(subject).length === 1;
}

/**
 * `git push:*` is Claude Code's way to write `git push`, alone and with more after it. Here it is a
 * literal colon, so that only a refusal is taken both ways.
 */
function prefixPatterns(subject: string, tool: string): string[] {
  if (tool !== "bash" || !subject.endsWith(":*")) return [];
  const prefix = subject.slice(0, -":*".length).trimEnd();
  return [prefix, `${prefix} *`];
}

/** A rule for exactly this call: stars in it stand for themselves. */
export function ruleFor(tool: string, subject: string): ApprovalRule {
  return { verdict: "allow", tool: escaped(tool), subject: escaped(subject) };
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("*", "\\*");
}

export function strictest(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  return (["deny", "prompt", "allow"] as const).find((one) => verdicts.includes(one));
}

/** Without regular expressions, so that no pattern can take for ever. */
export function fits(pattern: string, text: string): boolean {
  const parts = splitAtStars(pattern);
  const [first = "", ...rest] = parts;
  if (rest.length === 0) return text === first;
  if (!text.startsWith(first)) return false;
  const last = rest.pop()!;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

function splitAtStars(pattern: string): string[] {
  const parts = [""];
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at]!;
    if (sign === "*") parts.push("");
    else if (sign === "\\" && at + 1 < pattern.length) parts[parts.length - 1] += pattern[++at]!;
    else parts[parts.length - 1] += sign;
  }
  return parts;
}
