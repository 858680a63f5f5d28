// Consent that holds for one session only: the mode that `/approval` set and the answers "for this
// session". It is given to a run of Tau, not to a file, so that a resumed session starts without it; the log
// has it, so that whoever resumes is told what no longer holds.

import { fitLine } from "@tau/tui/width";

/** Of its entries in the log. */
export const SESSION_CONSENT = "approval";

export interface SessionConsent {
  /** If it is not what the settings say. */
  mode?: string;
  /** As settings have them. */
  rules: readonly string[];
  /** Every change of files that is not dangerous. */
  edits?: boolean;
}

export const NO_CONSENT: SessionConsent = { rules: [] };

/** What stands in a log, whoever wrote it. */
export function readConsent(data: unknown): SessionConsent {
  const { mode, rules, edits } = (data ?? {}) as Record<string, unknown>;
  return {
    mode: typeof mode === "string" ? mode : undefined,
    rules: Array.isArray(rules) ? rules.filter((rule) => typeof rule === "string") : [],
    edits: edits === true,
  };
}

/** Rules that are named, and columns of each; the rest is counted. */
const NAMED_RULES = 3;
const RULE_COLUMNS = 40;

/** One line on what held before and does not now; undefined if that is nothing. */
export function describeLost(
  before: SessionConsent,
  now: { mode: string; rules: readonly string[] },
): string | undefined {
  const lost = [...new Set(before.rules)].filter((rule) => !now.rules.includes(rule));
  const parts: string[] = [];
  if (before.mode !== undefined && before.mode !== now.mode) {
    parts.push(
      `approval is ${now.mode} now; /approval ${before.mode} brings back the mode that this session had`,
    );
  }
  if (before.edits) parts.push('your "all edits in this session" ended');
  if (lost.length > 0) parts.push(`your answers "for this session" ended: ${listed(lost)}`);
  return parts.length === 0 ? undefined : parts.join("; ");
}

function listed(rules: readonly string[]): string {
  const named = rules
    .slice(0, NAMED_RULES)
    .map((rule) => fitLine(rule.replace(/^allow /, "").replace(/\s+/g, " "), RULE_COLUMNS));
  const more = rules.length - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}
