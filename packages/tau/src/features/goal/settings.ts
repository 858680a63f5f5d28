// Who judges whether a goal is reached, and what working towards one may cost.

import { amount, text } from "../../config/setting.ts";
import { settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const GOAL_ROWS = settingGroup("goal", "Goals", {
  judgeRole: text("slow", "The model role that judges whether a goal is reached"),
  maxRounds: amount(10, "How often the model is sent back to work on a goal", {
    min: 1,
    max: 1000,
  }),
  maxTurns: amount(100, "Maximum number of model calls for a goal", { min: 1 }),
  maxCostUsd: amount(5, "Maximum cost of a goal by list price, agents and judge included", {
    min: 0,
    unit: "USD",
  }),
});

export type GoalSettings = GroupValues<typeof GOAL_ROWS>;
