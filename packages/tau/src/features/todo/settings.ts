// Whether there is a todo list, and how it makes itself felt.

import { amount, flag } from "../../config/setting.ts";
import { settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const TODO_ROWS = settingGroup("todo", "Todo list", {
  enabled: flag(true, "Whether the model keeps a todo list, shown above the prompt"),
  reminders: flag(true, "Whether the model is reminded of open tasks before a run ends"),
  maxReminders: amount(3, "Maximum number of reminders per run", { min: 0, max: 20 }),
  clearDelay: amount(60, "How long closed tasks stay visible; 0: not at all, -1: always", {
    min: -1,
    unit: "s",
  }),
});

export type TodoSettings = GroupValues<typeof TODO_ROWS>;
