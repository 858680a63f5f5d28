// What a session's log says of plan mode: the latest entry on the branch counts, so that a resumed
// session is still in it, and another place of the tree has its own.

import type { ThinkingLevel } from "@tau/ai/model";
import type { NewEntry } from "../../session/entry.ts";

/** Of entries that hold it. */
export const PLAN_ENTRY = "plan_mode";

export interface PlanText {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

export interface PlanState {
  readonly isOn: boolean;
  /** The model knows whether it is on. */
  readonly isTold: boolean;
  /** The last one that was handed in. */
  readonly plan?: PlanText;
  /** Nobody has decided about it yet. */
  readonly isOpen?: boolean;
  /** The model that was in use before, if planning has another one. */
  readonly before?: { readonly model: string; readonly thinking?: ThinkingLevel };
}

export const NOT_PLANNING: PlanState = { isOn: false, isTold: true };

/** Whoever cannot be understood is in plan mode: what guards fails closed. */
export function decodeState(kept: unknown): PlanState {
  if (kept === undefined || kept === null) return NOT_PLANNING;
  const given = (typeof kept === "object" ? kept : {}) as Record<string, unknown>;
  const isOn = given.isOn !== false;
  const plan = decodePlan(given.plan);
  return {
    isOn,
    isTold: given.isTold === true,
    plan,
    isOpen: plan !== undefined && given.isOpen === true,
    before: decodeBefore(given.before),
  };
}

function decodePlan(given: unknown): PlanText | undefined {
  const { title, text } = (given ?? {}) as Record<string, unknown>;
  return typeof title === "string" && typeof text === "string" ? { title, text } : undefined;
}

function decodeBefore(given: unknown): PlanState["before"] {
  const { model, thinking } = (given ?? {}) as Record<string, unknown>;
  if (typeof model !== "string") return undefined;
  return { model, thinking: thinking as ThinkingLevel | undefined };
}

export function stateEntry(state: PlanState): NewEntry {
  return { type: "custom", customType: PLAN_ENTRY, data: state };
}
