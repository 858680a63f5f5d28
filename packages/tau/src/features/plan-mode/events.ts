// What plan mode tells whoever watches a session.

import { keeping, type EventRowsOf } from "../../session/event-row.ts";
import { note } from "../../session/projection/block.ts";

/** What became of a plan. */
export type PlanDecision = "approved" | "approved_fresh" | "rejected" | "edited" | "left";

interface PlanEventMap {
  plan_mode_changed: { isOn: boolean };
  /** The model has handed in a plan. */
  plan_submitted: {
    title: string;
    plan: string;
    /** Where it can be edited; absent if the session is not saved. */
    path?: string;
  };
  plan_decided: {
    decision: PlanDecision;
    title: string;
    /** What was said with a no. */
    words?: string;
  };
}

declare module "../../session/session-event.ts" {
  interface SessionEventMap extends PlanEventMap {}
}

type Told<Type extends keyof PlanEventMap> = { type: Type } & PlanEventMap[Type];

const DECIDED: Readonly<Record<PlanDecision, string>> = {
  approved: "Plan approved",
  approved_fresh: "Plan approved; a fresh session carries it out",
  rejected: "Plan sent back",
  edited: "Plan edited",
  left: "Plan not carried out",
};

export const PLAN_EVENTS: EventRowsOf<PlanEventMap> = {
  plan_mode_changed: {
    docs: "plan mode is on or off (`isOn`)",
    kept: keeping(
      ({ isOn }: Told<"plan_mode_changed">) => ({ isOn }),
      ({ isOn }) => [
        note(
          isOn
            ? "Plan mode is on: nothing is changed until you approve a plan. /plan off ends it."
            : "Plan mode is off.",
        ),
      ],
    ),
  },
  plan_submitted: {
    docs: "the model has handed in a plan: its `title`, the `plan`, and the `path` of its file",
    kept: keeping(
      // The call itself shows the plan.
      ({ path }: Told<"plan_submitted">) => (path === undefined ? undefined : { path }),
      ({ path }) => [note(`The plan is in ${path}; what you change there counts.`)],
    ),
  },
  plan_decided: {
    docs: "what became of a plan: `approved`, `approved_fresh`, `rejected`, `edited` or `left`",
    kept: keeping(
      ({ type: _type, ...rest }: Told<"plan_decided">) => rest,
      ({ decision, title, words }) => {
        const line = `${DECIDED[decision]}: ${title}`;
        return [note(words ? `${line}\n  ${words}` : line)];
      },
    ),
  },
};
