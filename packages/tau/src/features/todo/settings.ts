// Whether there is a todo list, and how it makes itself felt.

import { amount, flag } from "../../config/setting.ts";
import { settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const TODO_ROWS = settingGroup("todo", "The todo list", {
  enabled: flag(true, "Whether the model keeps one, and you see it above the prompt"),
  reminders: flag(true, "Whether a run that would end with open tasks is reminded of them"),
  maxReminders: amount(3, "Reminders in one run at most", { min: 0, max: 20 }),
  clearDelay: amount(60, "How long closed tasks are shown; 0 is not at all, -1 is always", {
    min: -1,
    unit: "s",
  }),
});

export type TodoSettings = GroupValues<typeof TODO_ROWS>;
