// What the model is told of a todo list. Closed tasks are counted and not repeated: what is said
// with every change is paid for with every request that follows.

import { SIGNS } from "./todo-markdown.ts";
import { allTasks, currentTask, isOpen, type TodoPhase, type TodoTask } from "./todo-phases.ts";

export function openTasks(phases: readonly TodoPhase[]): string {
  return listed(phases, isOpen);
}

export function wholeList(phases: readonly TodoPhase[]): string {
  return phases.length === 0 ? "The todo list is empty." : listed(phases, () => true);
}

/** Where the list stands after a change. */
export function standing(phases: readonly TodoPhase[]): string {
  if (phases.length === 0) return "The todo list is empty.";
  const current = currentTask(phases);
  if (!current) return `All ${allTasks(phases).length} tasks are closed.`;
  const { task, phase } = current;
  const closed = phase.tasks.filter((one) => !isOpen(one)).length;
  const place = `${phase.name}, ${closed} of ${phase.tasks.length} closed`;
  return `Now: ${task.content} (${place})\n${openTasks(phases)}`;
}

export function reminder(phases: readonly TodoPhase[]): string {
  return `Open in your todo list:\n${openTasks(phases)}\nGo on with it, and close with todo what is done or not wanted any more. Where you need the user first, say for what and stop.`;
}

/** Behind the summary of a conversation that does not hold the list any more. */
export function carriedOver(phases: readonly TodoPhase[]): string {
  return `Your todo list, as it stood at this summary:\n${openTasks(phases)}`;
}

export function editedByUser(phases: readonly TodoPhase[]): string {
  return `The user changed the todo list. Work from what it is now:\n${wholeList(phases)}`;
}

function listed(phases: readonly TodoPhase[], isWanted: (task: TodoTask) => boolean): string {
  return phases
    .flatMap(({ name, tasks }) => {
      const items = tasks
        .filter(isWanted)
        .map((task) => `- [${SIGNS[task.status]}] ${task.content}`);
      return items.length === 0 ? [] : [`## ${name}`, ...items];
    })
    .join("\n");
}
