// `/todo`, on every front-end with a person: shows the list that the model works through, and changes
// it. The model is told of every change.

import { cleanLine } from "@tau/tui/components/clean-text";
import { applyTodoOps, type TodoOp } from "../features/todo/apply-todo-ops.ts";
import type { MakeChange, TodoList } from "../features/todo/todo-list.ts";
import { SIGNS } from "../features/todo/todo-markdown.ts";
import {
  allTasks,
  currentTask,
  DEFAULT_PHASE,
  oneLine,
  type TodoPhase,
} from "../features/todo/todo-phases.ts";
import type { ActiveSession } from "../session/active-session.ts";
import { UserError } from "../user-error.ts";

const VERBS = ["start", "done", "drop", "rm"] as const;

/** What to say about it. */
export async function todoCommand(active: ActiveSession, argument: string): Promise<string> {
  const list = listOf(active);
  const [, verb = "", words = ""] = /^(\S*)\s*([\s\S]*)$/.exec(argument.trim()) ?? [];
  if (verb === "") return listText(list.phases);
  if (verb === "clear") return changed(list, (before) => applyTodoOps(before, [{ op: "rm" }]));
  if (verb === "append") {
    if (words === "") throw new UserError("say what is to be done: /todo append TASK");
    return changed(list, (before) => applyTodoOps(before, [appending(before, words)]));
  }
  const op = VERBS.find((one) => one === verb);
  if (!op)
    throw new UserError(
      `there is no /todo ${verb}; it takes append, ${VERBS.join(", ")} and clear`,
    );
  return changed(list, (before) => {
    const task = words === "" ? currentFor(op, before) : taskNamed(before, words);
    return applyTodoOps(before, [{ op, task }]);
  });
}

export function listOf({ todos }: ActiveSession): TodoList {
  if (todos) return todos;
  throw new UserError(
    "the model keeps no todo list here: todo.enabled is off, or it has only a few tools",
  );
}

/** Makes a person's change, or says why not; then how the list is. */
export async function changed(list: TodoList, make: MakeChange): Promise<string> {
  const change = await list.change(make, "user");
  if (change.type === "refused") throw new UserError(change.problems.join("\n"));
  return listText(change.phases);
}

export function listText(phases: readonly TodoPhase[]): string {
  if (phases.length === 0) return "The todo list is empty.";
  return phases
    .flatMap(({ name, tasks }) => [
      cleanLine(name),
      ...tasks.map(({ content, status }) => `  [${SIGNS[status]}] ${cleanLine(content)}`),
    ])
    .join("\n");
}

/** Where work goes on. */
function appending(before: readonly TodoPhase[], words: string): TodoOp {
  const phase = currentTask(before)?.phase ?? before.at(-1);
  return { op: "append", phase: phase?.name ?? DEFAULT_PHASE, items: [words] };
}

function currentFor(op: (typeof VERBS)[number], before: readonly TodoPhase[]): string {
  const current = currentTask(before)?.task;
  if (current && (op === "done" || op === "drop")) return current.content;
  throw new UserError(`name a task: /todo ${op} TASK, by its words or some of them`);
}

/** The one of these words, or the only one that has them in it. */
function taskNamed(before: readonly TodoPhase[], words: string): string {
  const wanted = oneLine(words).toLowerCase();
  const contents = allTasks(before).map(({ content }) => content);
  const exact = contents.find((content) => content.toLowerCase() === wanted);
  if (exact !== undefined) return exact;
  const found = contents.filter((content) => content.toLowerCase().includes(wanted));
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw new UserError(`there is no task "${words}"; /todo lists them`);
  throw new UserError(`"${words}" is in ${found.length} tasks; say more of the one you mean`);
}
