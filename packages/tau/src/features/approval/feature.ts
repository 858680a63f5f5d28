// Approval: what may run by itself, what a person is asked about, and what is refused.

import type { ConsentScope } from "@tau/agent/hook-points";
import type { ToolTier } from "@tau/agent/tool";
import type { ToolCallBlock } from "@tau/ai/message";
import type { Feature } from "../../feature-api/feature.ts";
import { keeping, type EventRowsOf } from "../../session/event-row.ts";
import { note, type Consent, type ShownPart } from "../../session/projection/block.ts";
import { APPROVAL_COMMAND } from "./approval-command.ts";
import { APPROVAL_ROWS } from "./settings.ts";

declare module "../../feature-api/feature.ts" {
  interface FeatureWishes {
    /** Instead of the user's setting. */
    readonly approvalMode?: string;
    /** Something that guards is missing: every call is asked about, whatever else is said. */
    readonly mustAsk?: boolean;
  }
}

interface ApprovalEventMap {
  /** A person is being asked about a call. */
  approval_start: {
    call: ToolCallBlock;
    reasons: string[];
    tier: ToolTier;
    subjects: readonly string[];
    /** What would be put down for good. */
    rules: readonly string[];
  };
  /** The person has answered, or will not any more. */
  approval_end: {
    callId: string;
    tool: string;
    subjects: readonly string[];
    allowed: boolean;
    /** How far an allowance goes. */
    scope?: "once" | ConsentScope;
    /** What was put down with it. */
    rules?: readonly string[];
    /** What was said with a no. */
    reason?: string;
  };
  /** What was allowed for good is in the settings now. */
  approval_saved: { rules: readonly string[]; file: string; scope: "always" | "everywhere" };
}

declare module "../../session/session-event.ts" {
  interface SessionEventMap extends ApprovalEventMap {}
}

type Told<Type extends keyof ApprovalEventMap> = { type: Type } & ApprovalEventMap[Type];

const APPROVAL_EVENTS: EventRowsOf<ApprovalEventMap> = {
  approval_start: { docs: "a tool call needs approval" },
  approval_end: {
    docs: "a tool call was allowed (`scope`: `once`, `session`, `always`, `everywhere`, `edits`) or refused",
    kept: keeping(({ type: _type, ...rest }: Told<"approval_end">) => rest, showConsent),
  },
  approval_saved: {
    docs: "a remembered approval was written to the settings: its `rules`, the `file`, and its `scope`",
    kept: keeping(
      ({ type: _type, ...rest }: Told<"approval_saved">) => rest,
      (kept) => [note(describeSaved(kept), "plain")],
    ),
  },
};

function describeSaved({ rules, file, scope }: ApprovalEventMap["approval_saved"]): string {
  const where = scope === "always" ? "for this project" : "for every project";
  const back = scope === "always" ? "; /approval takes it back" : "";
  return `Saved ${where} in ${file}: ${rules.join(", ")}${back}`;
}

function showConsent(kept: ApprovalEventMap["approval_end"]): ShownPart[] {
  const { callId, tool, subjects, allowed, scope, rules, reason } = kept;
  const consent: Consent = { allowed, scope, rules, reason };
  const about = [tool, subjects.join("; ")].filter(Boolean).join(" ");
  return [{ kind: "consent", callId, consent, about }];
}

export const approval: Feature = {
  name: "approval",
  order: 0,
  settings: [APPROVAL_ROWS],
  events: APPROVAL_EVENTS,
  wishes: ["approvalMode", "mustAsk"],
  commands: [APPROVAL_COMMAND],
  protocol: () => import("./protocol.ts"),
  setup: async (host) => (await import("./setup.ts")).setUpApproval(host),
};
