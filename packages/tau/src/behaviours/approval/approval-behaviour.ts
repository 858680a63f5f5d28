// Stands before every call: lets it through, has a person asked, or refuses it with a reason the
// model can read. What the user allows for good is remembered as a rule that fits next time.

import type { CallAssessment, Tool } from "@tau/agent/tool";
import type { Behaviour } from "../behaviour.ts";
import { printRule, ruleFor, type ApprovalRule } from "./approval-rule.ts";
import { consentFrom, decide, type Consent } from "./decide.ts";
import type { ApprovalMode, ApprovalSettings } from "./settings.ts";

export interface ApprovalOptions {
  settings: ApprovalSettings;
  /** Keeps a rule beyond this session. */
  keepRule?: (rule: string) => Promise<void>;
}

export class Approval {
  readonly #keepRule: ApprovalOptions["keepRule"];
  readonly #consent: Consent;
  readonly #sessionRules: ApprovalRule[] = [];
  #mode: ApprovalMode;

  constructor({ settings, keepRule }: ApprovalOptions) {
    this.#keepRule = keepRule;
    this.#consent = consentFrom(settings);
    this.#mode = settings.approvalMode;
  }

  get mode(): ApprovalMode {
    return this.#mode;
  }

  /** For this session. */
  setMode(mode: ApprovalMode): void {
    this.#mode = mode;
  }

  /** From now on calls that do the same are not asked about: here, or everywhere and for good. */
  async remember(tool: Tool, params: unknown, scope: "session" | "always"): Promise<void> {
    const { subjects } = await assess(tool, params);
    const rules = subjects.map((subject) => ruleFor(tool.name, subject));
    this.#sessionRules.push(...rules);
    if (scope === "session") return;
    for (const rule of rules) await this.#keepRule?.(printRule(rule));
  }

  readonly behaviour: Behaviour = {
    owner: { kind: "behaviour", name: "approval", order: 0 },
    handlers: {
      tool_call: async ({ tool, arguments: params }) => {
        return decide(tool.name, await assess(tool, params), {
          ...this.#consent,
          mode: this.#mode,
          rules: [...this.#consent.rules, ...this.#sessionRules],
        });
      },
    },
  };
}

/** A tool that does not say what a call would do is taken at its tier. */
async function assess(tool: Tool, params: unknown): Promise<CallAssessment> {
  return (await tool.assess?.(params)) ?? { tier: tool.tier, subjects: [JSON.stringify(params)] };
}
