// `/goal`: sets a goal and begins to work towards it, says how far it has come, and ends it. Only a person
// may: a goal spends their money.

import { userText } from "@tau/ai/message";
import type { SessionCommand } from "../../session/session-command.ts";
import { UserError } from "../../user-error.ts";
import { GOAL, MAX_CONDITION_CHARS, type Goal } from "./goal.ts";
import type { GoalStatus } from "./goal-state.ts";

const OFF: ReadonlySet<string> = new Set(["off", "stop", "end", "clear", "cancel"]);

const STANDING: Readonly<Record<GoalStatus, string>> = {
  active: "Goal",
  held: "Goal, reached",
  unreachable: "Goal, given up as unreachable",
  spent: "Goal, given up when its budget was spent",
  stopped: "Goal, ended",
  unjudged: "Goal, given up without a verdict",
};

export const runGoal: SessionCommand["run"] = async ({ session }, argument) => {
  const goal = session.part(GOAL);
  if (!goal) throw new UserError("an agent has no goal of its own; set it in your session");
  if (argument === "") return standing(goal);
  if (OFF.has(argument.toLowerCase())) {
    if (!goal.active) return "There is no goal.";
    await goal.end("stopped", "");
    return undefined;
  }
  if (argument.length > MAX_CONDITION_CHARS) {
    throw new UserError(`a goal has at most ${MAX_CONDITION_CHARS} characters`);
  }
  await goal.set(argument);
  const words = `Work until this holds: ${argument}`;
  await session.followUp(userText(words), { typed: words });
  return undefined;
};

function standing({ state, settings }: Goal): string {
  if (!state) return "There is no goal; /goal CONDITION sets one.";
  const { condition, status, rounds, turns, costUsd, missing } = state;
  const { maxRounds, maxTurns, maxCostUsd } = settings;
  const rows = [
    `${STANDING[status]}: ${condition}`,
    `sent back ${rounds} of ${maxRounds} times, ${turns} of ${maxTurns} model calls, $${costUsd} of $${maxCostUsd}`,
  ];
  if (missing) rows.push(`The judge: ${missing}`);
  return rows.join("\n");
}
