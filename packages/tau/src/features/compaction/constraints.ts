// The rules that the user laid down and that still hold. The summariser adds to the list and
// may withdraw from it by number; what it merely forgets to repeat stays. So a constraint does
// not depend on every summary in a row being a good one.

import { textTokens } from "../../base/message-tokens.ts";

/** Tokens. Rules are short; a list beyond this is no list of rules. */
const MAX_CONSTRAINTS_TOKENS = 1500;

/** What a summariser answered, taken apart. */
export interface SummaryAnswer {
  narrative: string;
  /** One line for a list or a divider. */
  short?: string;
  constraints: string[];
  /** Numbers, from 1, in the list it was given. */
  withdrawn: number[];
}

/** Whatever is not in one of the known tags is the narrative. */
export function parseAnswer(answer: string): SummaryAnswer {
  let rest = answer;
  const take = (tag: string): string | undefined => {
    const found = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "i").exec(rest);
    if (!found) return undefined;
    rest = rest.slice(0, found.index) + rest.slice(found.index + found[0].length);
    return found[1]!.trim();
  };
  const short = take("short")?.split("\n")[0];
  const constraints = listItems(take("constraints") ?? "");
  const withdrawn = [...(take("withdrawn") ?? "").matchAll(/\d+/g)].map(Number);
  const narrative = rest.replaceAll(/<\/?summary>/gi, "").trim();
  return { narrative, short: short || undefined, constraints, withdrawn };
}

function listItems(block: string): string[] {
  return block
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim())
    .filter((line) => line !== "" && !/^\(?none\.?\)?$/i.test(line));
}

export function mergeConstraints(before: readonly string[], answer: SummaryAnswer): string[] {
  const gone = new Set(answer.withdrawn);
  const held = before.filter((_, index) => !gone.has(index + 1));
  const withdrawn = new Set(before.filter((_, index) => gone.has(index + 1)));
  const added = answer.constraints.filter((line) => !withdrawn.has(line));
  return withinBudget([...new Set([...held, ...added])]);
}

/** The newest stay. */
function withinBudget(lines: readonly string[]): string[] {
  let left = MAX_CONSTRAINTS_TOKENS;
  const kept: string[] = [];
  for (const line of lines.toReversed()) {
    left -= textTokens(line);
    if (left < 0) break;
    kept.unshift(line);
  }
  return kept;
}

export function numbered(lines: readonly string[]): string {
  return lines.map((line, index) => `${index + 1}. ${line}`).join("\n");
}

export function renderConstraints(lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return `Constraints that still hold:\n<constraints>\n${lines.map((line) => `- ${line}`).join("\n")}\n</constraints>`;
}

export function constraintsIn(details: unknown): string[] {
  const found = (details as { constraints?: unknown } | null | undefined)?.constraints;
  return Array.isArray(found) ? found.filter((line) => typeof line === "string") : [];
}
