// Whether a call may run, has to be asked about, or is refused: from what it would do, and from
// what the user said about such calls. Pure, so that the whole table can be tested.

import type { CallAssessment } from "@tau/agent/tool";
import { describeProblem, type LostWord } from "../../base/config-problem.ts";
import {
  isVerdict,
  parseRule,
  strictest,
  verdictFor,
  type ApprovalRule,
  type Verdict,
} from "./approval-rule.ts";
import { withHome, type RulePlaces } from "./home-rules.ts";
import { ruleOnHosts, webRule } from "./host-rules.ts";
import { ownVerdicts } from "./own-rules.ts";
import { ruleOnReads } from "./read-rules.ts";
import { whyRefused } from "./why-refused.ts";
import { ruleOnChanges } from "./write-rules.ts";
import { rulesOfProject } from "./project-rules.ts";
import type { ApprovalMode, ApprovalSettings } from "./settings.ts";

export type Decision =
  | { type: "allow" }
  /** `isByMode`: neither a danger nor a word of the user's, only the mode asks. */
  | { type: "ask"; reason: string; isByMode?: boolean }
  | { type: "block"; reason: string };

/** A list for each other tool: the strictest of their words counts. */
export type ForeignRules = readonly (readonly ApprovalRule[])[];

export interface Consent {
  mode: ApprovalMode;
  /** By tool. */
  policies: Readonly<Record<string, Verdict>>;
  rules: readonly ApprovalRule[];
  /** Said to other tools: the user's rules for Tau outweigh them. */
  foreign?: ForeignRules;
  /** What the person answered in this session; the latest of the rules. */
  session?: readonly ApprovalRule[];
  /** They agreed to every change of files in this session that is not dangerous. */
  edits?: boolean;
  /** What cannot be read and may have refused a call: nothing else that was said outweighs it. */
  lost?: readonly LostWord[];
  /** Those that the session has: a word on one of them is not lost. */
  tools?: readonly string[];
  /** The file that the policies are in. */
  policySource?: string;
}

const ALLOW: Decision = { type: "allow" };

export interface ConsentPlaces {
  /** What `~` is in rules about files. */
  places?: RulePlaces;
  /** The file in which a setting stands. */
  sourceOf?: (key: string) => string | undefined;
}

/** `project`: the directory whose own rules hold too. */
export function consentFrom(
  settings: ApprovalSettings,
  project?: string,
  { places, sourceOf = () => undefined }: ConsentPlaces = {},
): Consent {
  const policies = Object.fromEntries(
    Object.entries(settings.approval).filter(([, word]) => isVerdict(word)),
  ) as Record<string, Verdict>;
  const rulesIn = (texts: readonly unknown[], key: string): ApprovalRule[] => {
    const origin = sourceOf(key);
    return texts.flatMap((text) => {
      const read = parseRule(text);
      const rule = read && { ...(webRule(read) ?? read), origin };
      if (!rule) return [];
      return places === undefined ? [rule] : withHome(rule, places);
    });
  };
  const rules = [
    ...rulesIn(settings.rules, "tools.rules"),
    ...rulesIn(rulesOfProject(settings.projectRules, project, places?.cwd), "tools.projectRules"),
  ];
  const policySource = sourceOf("tools.approval");
  return { mode: settings.approvalMode, policies, rules, policySource };
}

export function decide(tool: string, call: CallAssessment, consent: Consent): Decision {
  const { mode, policies, foreign = [], session = [] } = consent;
  const rules = [...consent.rules, ...session];
  const parts = call.subjects.map((subject, at) => ({
    subject,
    spellings: call.spellings?.[at] ?? [],
  }));
  const own = ownVerdicts(rules, tool, { call, parts });
  // What no rule is about has the word for the whole tool, also beside parts that have their own.
  const said = parts.map(
    (part, at) =>
      own[at] ?? strictest(foreign.map((list) => verdictFor(list, tool, part))) ?? policies[tool],
  );
  const lists = [rules, ...foreign];
  const touched = strictest([
    ruleOnHosts(call.hosts ?? [], lists)?.verdict,
    ruleOnReads(call.reads ?? [], lists)?.verdict,
    ruleOnChanges(call.changes ?? [], lists)?.verdict,
  ]);
  const policy = touched ? strictest([touched, ...said]) : (overall(said) ?? policies[tool]);
  if (policy === "deny")
    return {
      type: "block",
      reason: `Your settings refuse this call of ${tool} (${whyRefused(tool, { call, parts }, consent)}).`,
    };
  const lost = lostAbout(tool, consent);
  if (lost !== undefined) {
    // The person saw why they were asked, and may have agreed to such calls since.
    const answered = ownVerdicts(session, tool, { call, parts });
    return overall(answered) === "allow" ? ALLOW : ask(lost);
  }
  if (mode === "yolo") return policy === "prompt" ? ask("your settings say so") : ALLOW;
  // A rule for exactly this call is consent to it; one word for a whole tool is not, nor is what
  // was said to another tool, which may not know the danger.
  if (call.guard !== undefined) {
    const isAgreed = overall(own) === "allow" && touched === undefined;
    if (!isAgreed && call.impossible !== undefined)
      return { type: "block", reason: `Not run: ${call.impossible}` };
    return isAgreed ? ALLOW : ask(`it ${call.guard}`);
  }
  if (policy === "allow") return ALLOW;
  // A rule of the settings for exactly this call still has its say.
  if (consent.edits && call.tier === "write" && overall(own) === undefined) return ALLOW;
  if (policy === "prompt") return ask("your settings say so");
  if (!asksByMode(mode, call)) return ALLOW;
  return { ...ask(`it ${call.does ?? TIER_WORDS[call.tier]}`), isByMode: true };
}

/** Why calls of this tool are asked about, with the first place to mend. */
function lostAbout(tool: string, { lost = [], tools = [] }: Consent): string | undefined {
  const about = lost.filter(
    (one) =>
      (one.tool === undefined || one.tool === tool) &&
      (one.unlessTool === undefined || !tools.includes(one.unlessTool)),
  );
  const [first] = about;
  if (!first) return undefined;
  const more = about.length > 1 ? ` (and ${about.length - 1} more to fix)` : "";
  return describeProblem(first.problem) + more;
}

const TIER_WORDS = { read: "reads", write: "changes files", exec: "runs a command" } as const;

function asksByMode(mode: ApprovalMode, { tier }: CallAssessment): boolean {
  if (mode === "always-ask") return tier !== "read";
  return mode === "write" && tier === "exec";
}

function ask(reason: string): Extract<Decision, { type: "ask" }> {
  return { type: "ask", reason };
}

/** What holds for a call of several parts: the strictest word, and consent only to all of it. */
function overall(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  if (verdicts.includes("deny")) return "deny";
  if (verdicts.includes("prompt")) return "prompt";
  return verdicts.length > 0 && verdicts.every((one) => one === "allow") ? "allow" : undefined;
}
