// Sees to it that a todo list is worked through: a run that would end with open tasks is reminded of
// them, and a summary does not lose them. Reminders are few: those that led to nothing are not
// repeated, and none is made where the run waits for something that comes by itself.

import { developerText } from "@tau/ai/message";
import type { SaidMessage } from "@tau/agent/mail";
import type { AssistantMessage } from "@tau/ai/message";
import type { HookHandlers } from "@tau/agent/hooks";
import type { SessionHost } from "../../session/session-host.ts";
import type { TodoSettings } from "./settings.ts";
import { carriedEntries, type TodoList } from "./todo-list.ts";
import { allTasks, isOpen } from "./todo-phases.ts";
import { carriedOver, editedByUser, reminder } from "./todo-words.ts";

export interface TodoParts {
  list: TodoList;
  settings: TodoSettings;
  /** Jobs whose end will wake the model by itself. */
  runningJobs(): number;
}

export function remindOfTodos(
  host: Pick<SessionHost, "mailbox" | "notify">,
  { list, settings, runningJobs }: TodoParts,
): HookHandlers {
  /** Of this run. */
  let reminders = 0;
  /** Tools ran since it began or was last reminded: there is work that may be left half done. */
  let hasWorked = false;

  const userEdit = (): SaidMessage => developerText(editedByUser(list.phases));
  const openCount = (): number => allTasks(list.phases).filter(isOpen).length;
  const isReminderDue = ({ stopReason }: AssistantMessage): boolean =>
    settings.reminders &&
    stopReason === "stop" &&
    hasWorked &&
    reminders < settings.maxReminders &&
    // What the user has to say comes first.
    !host.mailbox.wantsRun &&
    runningJobs() === 0;

  return {
    run_start: () => {
      reminders = 0;
      hasWorked = false;
      return list.takeUntoldEdit() ? { messages: [userEdit()] } : undefined;
    },
    turn_end: ({ message, results }) => {
      if (results.length > 0) {
        hasWorked = true;
        return list.takeUntoldEdit() ? { type: "continue", messages: [userEdit()] } : undefined;
      }
      const open = openCount();
      if (open === 0 || !isReminderDue(message)) return undefined;
      reminders++;
      hasWorked = false;
      const { maxReminders: max } = settings;
      host.notify({ type: "answer_stands" });
      host.notify({ type: "todo_reminder", open, attempt: reminders, max });
      return { type: "continue", messages: [developerText(reminder(list.phases))] };
    },
    session_compacting: () =>
      openCount() === 0 ? undefined : { reinject: [developerText(carriedOver(list.phases))] },
    session_handing_over: () => ({ entries: carriedEntries(list.phases) }),
  };
}
