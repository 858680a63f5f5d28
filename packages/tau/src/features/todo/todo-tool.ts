// The tool that a model keeps its todo list with.

import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import {
  array,
  description,
  minLength,
  optional,
  picklist,
  pipe,
  strictObject,
  string,
} from "valibot";
import { applyTodoOps, TODO_OPS } from "./apply-todo-ops.ts";
import prompt from "./prompt.md" with { type: "text" };
import type { TodoList } from "./todo-list.ts";
import type { TodoPhase } from "./todo-phases.ts";
import { standing, wholeList } from "./todo-words.ts";

export const TODO = "todo";

const items = pipe(array(string()), minLength(1));

const parameters = strictObject({
  ops: pipe(
    array(
      strictObject({
        op: pipe(
          picklist(TODO_OPS),
          description(
            "init: a new list; start: a task; done, drop, rm: a task, a phase, or all; append: to a phase, new or not",
          ),
        ),
        list: optional(
          pipe(array(strictObject({ phase: string(), items })), description("For init")),
        ),
        task: optional(string()),
        phase: optional(string()),
        items: optional(pipe(items, description("For append"))),
      }),
    ),
    minLength(1),
  ),
});

/** What renderers get of a call. */
export interface TodoDetails {
  phases: readonly TodoPhase[];
  storage: "session" | "memory";
  /** Those that this call completed. */
  completedTasks?: readonly { phase: string; content: string }[];
}

export function createTodoTool(list: TodoList): Tool {
  return defineTool({
    name: TODO,
    description: prompt.trim(),
    parameters,
    tier: "read",
    concurrency: "exclusive",
    async execute({ ops }) {
      if (ops.every(({ op }) => op === "view")) {
        return textOutput(wholeList(list.phases), detailsOf(list));
      }
      let before: readonly TodoPhase[] = [];
      const change = await list.change((current) => {
        before = current;
        return applyTodoOps(
          current,
          ops.map((op) => list.hidden(op)),
        );
      }, "model");
      if (change.type === "refused") throw new ToolError(refusal(change.problems, before));
      const { phases } = change;
      const completed = completedSince(before, phases);
      const completedTasks = completed.length === 0 ? undefined : completed;
      return textOutput(standing(phases), { phases, storage: list.storage, completedTasks });
    },
  });
}

function detailsOf({ phases, storage }: TodoList): TodoDetails {
  return { phases, storage };
}

function refusal(problems: readonly string[], before: readonly TodoPhase[]): string {
  return `Errors: ${problems.join(" ")}\nNothing was changed; correct the call and make it again. The list:\n${wholeList(before)}`;
}

function completedSince(before: readonly TodoPhase[], after: readonly TodoPhase[]) {
  const done = new Set(completedIn(before).map(({ content }) => content));
  return completedIn(after).filter(({ content }) => !done.has(content));
}

function completedIn(phases: readonly TodoPhase[]): { phase: string; content: string }[] {
  return phases.flatMap(({ name, tasks }) =>
    tasks
      .filter(({ status }) => status === "completed")
      .map(({ content }) => ({ phase: name, content })),
  );
}
