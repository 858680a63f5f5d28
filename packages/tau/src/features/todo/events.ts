// What the todo list tells whoever watches a session.

import type { TodoPhase } from "./todo-phases.ts";

declare module "../../session/session-event.ts" {
  interface SessionEventMap {
    /** The todo list is another one. */
    todo_changed: { phases: readonly TodoPhase[] };
    /** A run that would have ended is reminded of what is open. */
    todo_reminder: { open: number; attempt: number; max: number };
  }
}
