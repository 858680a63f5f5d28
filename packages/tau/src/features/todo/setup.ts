// The todo list in one session: the list, the model's tool for it, the reminders, and `/todo`.

import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { offer } from "../../session/session-host.ts";
import { WORKSPACE } from "../../tools/workspace.ts";
import { remindOfTodos } from "./remind-of-todos.ts";
import { TODO_ROWS } from "./settings.ts";
import { TODO, TodoList } from "./todo-list.ts";
import { createTodoTool } from "./todo-tool.ts";

export function setUpTodo(host: FeatureHost): FeatureParts {
  const settings = host.settings.group(TODO_ROWS);
  const list = new TodoList(host, settings);
  const { jobs } = host.need(WORKSPACE);
  return {
    part: offer(TODO, list),
    tools: [createTodoTool(list)],
    hooks: remindOfTodos(host, {
      list,
      settings,
      runningJobs: () => jobs.running,
    }),
  };
}
