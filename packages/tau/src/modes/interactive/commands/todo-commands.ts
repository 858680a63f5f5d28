// `/todo` with a terminal: everything that works on any front-end, and the whole list in the user's
// own editor.

import { fromMarkdown, toMarkdown } from "../../../features/todo/todo-markdown.ts";
import { allTasks, isOpen, isSameList } from "../../../features/todo/todo-phases.ts";
import { UserError } from "../../../user-error.ts";
import { changed, listOf, todoCommand } from "../../todo-command.ts";
import type { AppContext } from "../app-context.ts";
import type { AppCommand } from "./app-command.ts";

const HINT =
  "<!-- [ ] open, [/] now, [x] done, [-] dropped; without any item the list is cleared -->";

export const TODO_COMMANDS: readonly AppCommand[] = [
  {
    name: "todo",
    argument: "[CHANGE]",
    help: "the tasks: edit, append, start, done, drop, rm, clear",
    when: "any",
    complete: ({ active }) => {
      const open = allTasks(active.todos?.phases ?? []).filter(isOpen);
      return ["edit", "clear", ...open.map(({ content }) => `done ${content}`)];
    },
    run: (app, argument) =>
      argument === "edit" ? editList(app) : todoCommand(app.active, argument),
  },
];

async function editList(app: AppContext): Promise<string> {
  const list = listOf(app.active);
  if (app.active.session.isBusy) {
    throw new UserError("/todo edit waits until the answer is done, or Esc stops it");
  }
  const { editOutside } = await import("../external-editor.ts");
  const opened = list.phases;
  const text = (await editOutside(`${HINT}\n\n${toMarkdown(opened)}`, app)) ?? "";
  const theirs = `Your text:\n${text}`;
  return changed(list, (before) => {
    if (!isSameList(before, opened)) {
      const why = "The list has changed while you edited it, and stays as it is now.";
      return { type: "refused", problems: [why, theirs] };
    }
    const change = fromMarkdown(text);
    if (change.type === "changed") return change;
    return { type: "refused", problems: [...change.problems, theirs] };
  });
}
