// What the todo list tells whoever watches a session.

import { keeping, type EventRowsOf } from "../../session/event-row.ts";
import { note } from "../../session/projection/block.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import type { TodoPhase } from "./todo-phases.ts";

interface TodoEventMap {
  /** The todo list is another one. */
  todo_changed: { phases: readonly TodoPhase[] };
  /** A run that would have ended is reminded of what is open. */
  todo_reminder: { open: number; attempt: number; max: number };
}

declare module "../../session/session-event.ts" {
  interface SessionEventMap extends TodoEventMap {}
}

type Reminder = Extract<SessionEvent, { type: "todo_reminder" }>;

export const TODO_EVENTS: EventRowsOf<TodoEventMap> = {
  todo_changed: { docs: "the todo list is another one: its `phases`" },
  todo_reminder: {
    docs: "a run that would have ended is reminded of its `open` tasks",
    kept: keeping(
      ({ open, attempt, max }: Reminder) => ({ open, attempt, max }),
      ({ open }) => [note(`Reminded of what is open: ${open} task${open === 1 ? "" : "s"}.`)],
    ),
  },
};
