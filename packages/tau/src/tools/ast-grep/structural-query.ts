// What the model looks for: a pattern, or a rule as ast-grep's own files write it, bare or with
// `constraints` and `utils` beside it.

import { ToolError } from "@tau/agent/tool";
import { findLanguage } from "@tau/host/syntax/detect-language";
import { LANGUAGES } from "@tau/host/syntax/language-table";
import type { StructuralQuery } from "@tau/host/syntax/structural-pattern";

type Rule = Record<string, unknown>;

export interface QueryWish {
  pat?: string | undefined;
  rule?: Rule | undefined;
}

const BESIDE_RULE = ["rule", "constraints", "utils"];

export function readQuery({ pat, rule }: QueryWish): StructuralQuery {
  if (pat !== undefined && rule !== undefined) {
    throw new ToolError("Give pat or rule, not both; a rule can hold the pattern.");
  }
  if (rule === undefined) {
    if (pat === undefined || pat.trim() === "") {
      throw new ToolError(
        "Give pat, the code to look for with $NAME for metavariables, or a rule.",
      );
    }
    return { pattern: pat };
  }
  if (!isRule(rule.rule)) return { rule };
  // A whole rule file has an id, a message and the like, which mean nothing here.
  const kept = BESIDE_RULE.flatMap((key) => (key in rule ? [[key, rule[key]] as const] : []));
  return Object.fromEntries(kept) as unknown as StructuralQuery;
}

function isRule(value: unknown): value is Rule {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The one name of the language that is meant. */
export function readLanguage(lang: string | undefined): string | undefined {
  if (lang === undefined) return undefined;
  const row = findLanguage(lang);
  if (row) return row.name;
  const names = LANGUAGES.map(({ name }) => name).join(", ");
  throw new ToolError(`There is no language "${lang}" here. There are ${names}.`);
}
