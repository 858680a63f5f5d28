// Stands before every call: lets it through, has a person asked, or refuses it with a reason the
// model can read. What the user allows for good is remembered as a rule that fits next time.

import { stableJson } from "@tau/agent/fingerprint";
import type { CallAnswer, ConsentScope } from "@tau/agent/hook-points";
import { EXTENSION_ORDER, type HookHandlers } from "@tau/agent/hooks";
import type { CallAssessment, Tool } from "@tau/agent/tool";
import { partKey } from "../../base/part.ts";
import { describeProblem, type LostWord } from "../../base/config-problem.ts";
import { UserError } from "../../user-error.ts";
import { parseRule, printRule, ruleFor, type ApprovalRule } from "./approval-rule.ts";
import {
  consentFrom,
  decide,
  type Consent,
  type ConsentPlaces,
  type Decision,
  type ForeignRules,
} from "./decide.ts";
import { rulesOfProject } from "./project-rules.ts";
import { refusesSomeReads } from "./read-rules.ts";
import type { SessionConsent } from "./session-consent.ts";
import type { ApprovalMode, ApprovalSettings } from "./settings.ts";

/** After extensions have rewritten a call, and after secrets were put back into it. */
const JUDGES_LAST = EXTENSION_ORDER + 200;

export interface ApprovalOptions {
  settings: ApprovalSettings;
  /** What other tools' settings say. */
  foreign?: ForeignRules;
  /** Words of the user that cannot be read, and may have refused something. */
  lost?: readonly LostWord[];
  /** The directory that rules of one project are about. */
  project?: string;
  /** The session's. */
  tools?: readonly string[];
  places?: ConsentPlaces;
  /** Of the session that this one works for: what it allows is allowed here, and its mode is the one here. */
  parent?: Pick<Approval, "granted" | "mode">;
  /** Its own mode counts, whatever the other's is: something that guards is missing here. */
  isStrictest?: boolean;
  /** Keeps rules beyond this session: for this project, or for all. */
  keepRules?: (rules: readonly string[], scope: LastingScope) => Promise<void>;
  /** Takes a rule of this project out of the settings again. */
  dropRule?: (rule: string) => Promise<void>;
  /** Puts down what holds for this session only. */
  keepConsent?: (consent: SessionConsent) => Promise<void>;
  /** Calls, by id, that a hook of the user's own has allowed: the mode alone does not ask about them. */
  allowedByHook?: Set<string>;
  /** Takes secrets out of what is shown and put down: calls come here with the real ones. */
  hide?: (text: string) => string;
  /** Whether words have a secret in them that nothing else hides. */
  holdsSecret?: (text: string) => boolean;
}

/** What a person allowed for one session. Its children hold the same object. */
export interface Granted {
  readonly rules: ApprovalRule[];
  edits: boolean;
}

export type LastingScope = Extract<ConsentScope, "always" | "everywhere">;

/** A rule as it is written, or all edits. */
export interface AllowedCalls {
  scope: "session" | "project";
  words: string;
}

/** The session's. */
export const APPROVAL = partKey<Approval>("approval", { viewOf: readOnly });

/** Consent is the user's: a feature from outside may look at it, and change nothing. */
function readOnly(approval: Approval): Pick<Approval, "mode" | "losses" | "granted" | "setMode"> {
  return {
    get mode() {
      return approval.mode;
    },
    get losses() {
      return approval.losses;
    },
    get granted() {
      return { ...approval.granted, rules: approval.granted.rules.map((rule) => ({ ...rule })) };
    },
    setMode: async () => {
      throw new UserError("only the user can change the approval mode: /approval MODE");
    },
  };
}

type JudgedTool = Pick<Tool, "name" | "tier" | "assess">;

interface JudgedCall {
  tool: JudgedTool;
  params: unknown;
  call?: { id: string };
}

export class Approval {
  readonly #keepRules: ApprovalOptions["keepRules"];
  readonly #keepConsent: ApprovalOptions["keepConsent"];
  readonly #settledMode: ApprovalMode;
  readonly #allowedByHook: Set<string> | undefined;
  readonly #hide: (text: string) => string;
  readonly #holdsSecret: (text: string) => boolean;
  #consent: Consent;
  /** What was allowed for the session; its children share it. */
  readonly granted: Granted;
  /** Those of `granted` that nothing else keeps, in words. */
  readonly #forSession: string[] = [];
  /** What the settings allow in this project. */
  readonly #forProject: string[];
  readonly #dropRule: ApprovalOptions["dropRule"];
  #mode: ApprovalMode;
  readonly #parent: ApprovalOptions["parent"];

  constructor(options: ApprovalOptions) {
    const { settings, foreign = [], lost = [], keepRules, hide = (text) => text } = options;
    this.#keepRules = keepRules;
    this.#keepConsent = options.keepConsent;
    this.#allowedByHook = options.allowedByHook;
    this.#settledMode = settings.approvalMode;
    this.granted = options.parent?.granted ?? { rules: [], edits: false };
    this.#parent = options.isStrictest ? undefined : options.parent;
    this.#hide = hide;
    this.#holdsSecret = options.holdsSecret ?? (() => false);
    const { project, places, tools } = options;
    this.#consent = { ...consentFrom(settings, project, places), foreign, lost, tools };
    this.#mode = settings.approvalMode;
    this.#dropRule = options.dropRule;
    this.#forProject = rulesOfProject(settings.projectRules, project)
      .map(String)
      .filter((text) => parseRule(text)?.verdict === "allow");
  }

  /** What can be taken back, in the order of its numbers. */
  get allowed(): AllowedCalls[] {
    const edits: AllowedCalls[] = this.granted.edits
      ? [{ scope: "session", words: "all edits" }]
      : [];
    return [
      ...edits,
      ...this.#forSession.map((words) => ({ scope: "session" as const, words })),
      ...this.#forProject.map((words) => ({ scope: "project" as const, words })),
    ];
  }

  /** From now on such calls are asked about again. */
  async forget({ scope, words }: AllowedCalls): Promise<void> {
    const isIt = (rule: ApprovalRule): boolean => (rule.text ?? printRule(rule)) === words;
    if (scope === "session" && words === "all edits") this.granted.edits = false;
    if (scope === "project") {
      await this.#dropRule?.(words);
      remove(this.#forProject, words);
      this.#consent = {
        ...this.#consent,
        rules: this.#consent.rules.filter((rule) => !isIt(rule)),
      };
    } else remove(this.#forSession, words);
    const left = this.granted.rules.filter((rule) => !isIt(rule));
    this.granted.rules.splice(0, Infinity, ...left);
    await this.#remember();
  }

  get mode(): ApprovalMode {
    return this.#parent?.mode ?? this.#mode;
  }

  /** What asks beyond the mode, a sentence each: words of the user that cannot be read. */
  get losses(): string[] {
    return [...new Set((this.#consent.lost ?? []).map(({ problem }) => describeProblem(problem)))];
  }

  /** Whether a rule is about files that are not to be read. */
  get refusesReads(): boolean {
    const { rules, foreign = [] } = this.#consent;
    return refusesSomeReads([rules, ...foreign]);
  }

  /** For this session; it holds at once, and is in the log when this resolves. */
  async setMode(mode: ApprovalMode): Promise<void> {
    this.#mode = mode;
    await this.#remember();
  }

  readonly hooks: HookHandlers = {
    // Last of all: what it judges, and a person is asked about, is what will run.
    tool_call: { order: JUDGES_LAST, handle: (told) => this.judge(told) },
  };

  /** What is said to such a call now, without asking anybody. */
  decide(tool: string, call: CallAssessment): Decision {
    const hidden = this.#hidden(call);
    const { rules: session, edits } = this.granted;
    return decide(tool, hidden, { ...this.#consent, mode: this.mode, session, edits });
  }

  async judge({ tool, params, call }: JudgedCall): Promise<CallAnswer> {
    const assessment = this.#hidden(await assessed(tool, params));
    const decision = this.decide(tool.name, assessment);
    if (decision.type !== "ask") return decision;
    const { isByMode } = decision;
    if (isByMode && call !== undefined && this.#allowedByHook?.delete(call.id))
      return { type: "allow" };
    const rules = rulesFor(tool, assessment.exact ?? assessment.subjects);
    const keep = (scope: ConsentScope): Promise<void> => this.#keep(rules, scope);
    const scopes = this.#isSecret(assessment) ? ["session" as const] : scopesFor(assessment);
    const offer = { assessment, rules: rules.map(printRule), scopes, keep, isByMode };
    return { type: "ask", reason: decision.reason, offer };
  }

  async #keep(rules: readonly ApprovalRule[], scope: ConsentScope): Promise<void> {
    if (scope === "edits") {
      this.granted.edits = true;
      return this.#remember();
    }
    this.granted.rules.push(...rules);
    if (scope === "session") {
      this.#forSession.push(...rules.map(printRule));
      return this.#remember();
    }
    try {
      await this.#keepRules?.(rules.map(printRule), scope);
      if (scope === "always") this.#forProject.push(...rules.map(printRule));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      throw new UserError(`Allowed in this session only: ${error.message}`);
    }
  }

  async #remember(): Promise<void> {
    const mode = this.#mode === this.#settledMode ? undefined : this.#mode;
    const edits = this.granted.edits || undefined;
    await this.#keepConsent?.({ mode, rules: [...this.#forSession], edits });
  }

  /** What would be put down for good has a secret in it that nothing has hidden. */
  #isSecret({ subjects, exact = [] }: CallAssessment): boolean {
    return [...subjects, ...exact].some(this.#holdsSecret);
  }

  #hidden({
    tier,
    subjects,
    spellings,
    exact,
    reads,
    changes,
    hosts,
    does,
    impossible,
    guard,
  }: CallAssessment): CallAssessment {
    return {
      tier,
      reads,
      changes,
      hosts,
      impossible: impossible === undefined ? undefined : this.#hide(impossible),
      subjects: subjects.map(this.#hide),
      exact: exact?.map(this.#hide),
      spellings: spellings?.map((words) => words.map(this.#hide)),
      does: does === undefined ? undefined : this.#hide(does),
      guard: guard === undefined ? undefined : this.#hide(guard),
    };
  }
}

/** A tool that does not say what a call would do is taken at its tier and its arguments. */
async function assessed(tool: JudgedTool, params: unknown): Promise<CallAssessment> {
  const plain = { tier: tool.tier, subjects: [stableJson(params)] };
  return (await tool.assess?.(params)) ?? plain;
}

/** A danger is agreed to by itself, where it was seen: not along with all edits, nor everywhere. */
function scopesFor({ tier, guard }: CallAssessment): ConsentScope[] {
  if (guard !== undefined) return ["session", "always"];
  const lasting: ConsentScope[] = ["session", "always", "everywhere"];
  return tier === "write" ? ["edits", ...lasting] : lasting;
}

function remove(list: string[], item: string): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}

function rulesFor(tool: JudgedTool, subjects: readonly string[]): ApprovalRule[] {
  return subjects.map((subject) => ruleFor(tool.name, subject));
}
