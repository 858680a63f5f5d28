// What plan mode may use besides the tools that only read, and what carries out a plan.

import { list, text } from "../../config/setting.ts";
import { settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const PLAN_ROWS = settingGroup("plan", "Plan mode", {
  // A project could let its own tools in.
  tools: list(
    "More tools to offer in plan mode, by name; of these only calls that are judged to read run",
    { scope: "user" },
  ),
  executeRole: text("", "The model role that carries out an approved plan; if empty, as before"),
});

export type PlanSettings = GroupValues<typeof PLAN_ROWS>;
