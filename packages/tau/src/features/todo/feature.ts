// The todo list: the model keeps it, the user sees and changes it, and a run does not end with it half
// done. This is all that the rest of Tau knows of it.

import type { Feature } from "../../feature-api/feature.ts";
import { TODO_EVENTS } from "./events.ts";
import { TODO_ROWS } from "./settings.ts";

export const todo: Feature = {
  name: "todo",
  order: 300,
  settings: [TODO_ROWS],
  tools: ["todo"],
  events: TODO_EVENTS,
  commands: [
    {
      name: "todo",
      argument: "[CHANGE]",
      help: "todo list: edit, append, start, done, drop, rm, clear",
      when: "any",
      complete: async ({ session }) => (await import("./todo-command.ts")).offers(session),
      run: async (place, change) => (await import("./todo-command.ts")).runTodo(place, change),
    },
  ],
  isOn: ({ settings }) => settings.group(TODO_ROWS).enabled,
  setup: async (host) => (await import("./setup.ts")).setUpTodo(host),
  terminal: () => import("./terminal.ts"),
};
