// What a session's log says of its goal: the latest entry on the branch counts, so that a resumed session
// still has it, and has not forgotten what it has cost.

import type { NewEntry } from "../../session/entry.ts";

/** Of entries that hold it. */
export const GOAL_ENTRY = "goal";

/**
 * `active`: worked towards. `held`: the judge says that it is reached. `unreachable`: that it cannot be.
 * `spent`: its budget is. `stopped`: by the user. `unjudged`: the judge gave no verdict, again and again.
 */
export type GoalStatus = "active" | "held" | "unreachable" | "spent" | "stopped" | "unjudged";

const STATUSES: ReadonlySet<unknown> = new Set<GoalStatus>([
  "active",
  "held",
  "unreachable",
  "spent",
  "stopped",
  "unjudged",
]);

export interface GoalState {
  readonly condition: string;
  readonly status: GoalStatus;
  /** The model knows of it. */
  readonly isTold: boolean;
  /** How often the model was sent back to work. */
  readonly rounds: number;
  /** Model calls for it. */
  readonly turns: number;
  readonly costUsd: number;
  /** Verdicts in a row that could not be understood. */
  readonly unclear: number;
  /** What the judge said last. */
  readonly missing?: string;
}

/** Undefined if there is none, or one that cannot be understood: nothing is worked on for it. */
export function decodeGoal(kept: unknown): GoalState | undefined {
  if (typeof kept !== "object" || kept === null) return undefined;
  const given = kept as Record<string, unknown>;
  const { condition, status, missing } = given;
  if (typeof condition !== "string" || !STATUSES.has(status)) return undefined;
  return {
    condition,
    status: status as GoalStatus,
    isTold: given.isTold === true,
    rounds: count(given.rounds),
    turns: count(given.turns),
    costUsd: count(given.costUsd),
    unclear: count(given.unclear),
    missing: typeof missing === "string" ? missing : undefined,
  };
}

/** What is not a number has used up everything: a budget fails closed. */
function count(given: unknown): number {
  return typeof given === "number" && given >= 0 ? given : Number.MAX_SAFE_INTEGER;
}

export function goalEntry(state: GoalState): NewEntry {
  return { type: "custom", customType: GOAL_ENTRY, data: state };
}
