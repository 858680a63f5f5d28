// `/todo`, on every front-end: shows the list that the model works through, and changes it; with a
// terminal also the whole list in the user's own editor. The model is told of every change.

import { cleanLine } from "@tau/tui/components/clean-text";
import type { Session } from "../../session/session.ts";
import type { CommandPlace } from "../../session/session-command.ts";
import { EXIT } from "../../exit-code.ts";
import { UserError } from "../../user-error.ts";
import { applyTodoOps, type TodoOp } from "./apply-todo-ops.ts";
import { TODO, type MakeChange, type TodoList } from "./todo-list.ts";
import { fromMarkdown, SIGNS, toMarkdown } from "./todo-markdown.ts";
import {
  allTasks,
  currentTask,
  DEFAULT_PHASE,
  isOpen,
  isSameList,
  oneLine,
  type TodoPhase,
} from "./todo-phases.ts";

const VERBS = ["start", "done", "drop", "rm"] as const;

const HINT =
  "<!-- [ ] open, [/] now, [x] done, [-] dropped; without any item the list is cleared -->";

export function offers(session: Session): string[] {
  const phases = session.part(TODO)?.phases ?? [];
  const current = currentTask(phases)?.task;
  const open = allTasks(phases).filter((task) => isOpen(task) && task !== current);
  // The one in progress first: whoever types `/todo done` and Enter means it.
  const tasks = current ? [current, ...open] : open;
  return [...tasks.map(({ content }) => `done ${content}`), "edit", "clear"];
}

export function runTodo(place: CommandPlace, argument: string): Promise<string> {
  const list = place.session.parts.need(TODO);
  return argument === "edit" ? editList(list, place) : changeByWords(list, argument);
}

/** What to say about it. */
async function changeByWords(list: TodoList, argument: string): Promise<string> {
  const [, verb = "", words = ""] = /^(\S*)\s*([\s\S]*)$/.exec(argument.trim()) ?? [];
  if (verb === "") return listText(list.phases);
  if (verb === "clear") return changed(list, (before) => applyTodoOps(before, [{ op: "rm" }]));
  if (verb === "append") {
    if (words === "") throw new UserError("name the task: /todo append TASK");
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

async function editList(list: TodoList, { session, editText }: CommandPlace): Promise<string> {
  if (!editText) {
    throw new UserError("/todo edit needs a terminal; the other changes do not", EXIT.usage);
  }
  if (session.isBusy) {
    throw new UserError("/todo edit works once the answer is done; Esc interrupts it");
  }
  const opened = list.phases;
  const text = (await editText(`${HINT}\n\n${toMarkdown(opened)}`)) ?? "";
  const theirs = `Your text:\n${text}`;
  return changed(list, (before) => {
    if (!isSameList(before, opened)) {
      const why = "The list changed while you edited it, so your version was not saved.";
      return { type: "refused", problems: [why, theirs] };
    }
    const change = fromMarkdown(text);
    if (change.type === "changed") return change;
    return { type: "refused", problems: [...change.problems, theirs] };
  });
}

/** Makes a person's change, or says why not; then how the list is. */
async function changed(list: TodoList, make: MakeChange): Promise<string> {
  const change = await list.change(make, "user");
  if (change.type === "refused") throw new UserError(change.problems.join("\n"));
  return listText(change.phases);
}

function listText(phases: readonly TodoPhase[]): string {
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
  throw new UserError(`"${words}" is in ${found.length} tasks; use more words of the one you mean`);
}
