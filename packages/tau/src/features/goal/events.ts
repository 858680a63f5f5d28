// What a goal tells whoever watches a session.

import { keeping, type EventRowsOf } from "../../session/event-row.ts";
import { note } from "../../session/projection/block.ts";
import type { GoalState, GoalStatus } from "./goal-state.ts";
import type { Verdict } from "./read-verdict.ts";

export type GoalEnd = Exclude<GoalStatus, "active">;

interface GoalEventMap {
  /** There is another goal, or it has come further; `goal` is absent if there is none. */
  goal_changed: { goal?: GoalState };
  goal_set: { condition: string };
  goal_judged: { verdict: Verdict["type"]; words: string; round: number; maxRounds: number };
  goal_end: { condition: string; status: GoalEnd; why: string };
}

declare module "../../session/session-event.ts" {
  interface SessionEventMap extends GoalEventMap {}
}

type Told<Type extends keyof GoalEventMap> = { type: Type } & GoalEventMap[Type];

const ENDED: Readonly<Record<GoalEnd, string>> = {
  held: "Goal reached",
  unreachable: "Goal given up: it cannot be reached",
  spent: "Goal given up: its budget is spent",
  stopped: "Goal ended",
  unjudged: "Goal given up: the judge gave no verdict",
};

export const GOAL_EVENTS: EventRowsOf<GoalEventMap> = {
  goal_changed: {
    docs: "the goal is another one, or has come further; without `goal` there is none",
  },
  goal_set: {
    docs: "a goal was set: its `condition`",
    kept: keeping(
      ({ condition }: Told<"goal_set">) => ({ condition }),
      ({ condition }) => [note(`Goal: ${condition}`)],
    ),
  },
  goal_judged: {
    docs: "the judge has looked: its `verdict` (`yes`, `not_yet`, `needs_user`, `unreachable`, `unclear`) and what is missing, in `words`",
    kept: keeping(
      // How it ends is told by itself.
      ({ type: _type, ...rest }: Told<"goal_judged">) =>
        rest.verdict === "yes" || rest.verdict === "unreachable" ? undefined : rest,
      ({ verdict, words, round, maxRounds }) => {
        const isWaiting = verdict === "needs_user";
        const head = isWaiting
          ? "Goal waits for you"
          : `Goal not reached yet (${round} of ${maxRounds})`;
        return [note(`${head}: ${words}`)];
      },
    ),
  },
  goal_end: {
    docs: "a goal is over: `held`, `unreachable`, `spent`, `stopped` or `unjudged`, and why",
    kept: keeping(
      ({ type: _type, ...rest }: Told<"goal_end">) => rest,
      ({ condition, status, why }) => {
        const tone = status === "held" || status === "stopped" ? "plain" : "warning";
        const about = why === "" ? condition : `${condition}\n  ${why}`;
        return [note(`${ENDED[status]}: ${about}`, tone)];
      },
    ),
  },
};
