// The todo list of a session. It is what the latest entry of its kind on the branch says, so that it
// is there after a restart and another one at another place of the tree; nothing is kept beside the
// log. Changes come one after another, whoever makes them: none is made on a list that is no more.

import { partKey } from "../../base/part.ts";
import type { NewEntry } from "../../session/entry.ts";
import type { SessionHost } from "../../session/session-host.ts";
import type { TodoChange, TodoOp } from "./apply-todo-ops.ts";
import { currentTask, decodePhases, isSameList, type TodoPhase } from "./todo-phases.ts";
import { carriedOver, editedByUser } from "./todo-words.ts";

/** Of entries that hold the list. */
export const TODO_ENTRY = "todo";
/** Of entries that tell the model that a person changed it. */
const USER_EDIT_ENTRY = "user_todo_edit";

/** The session's; absent if the model has no list. */
export const TODO = partKey<TodoList>("todo");

export type TodoPlace = Pick<SessionHost, "append" | "notify" | "isBusy" | "hide"> & {
  view: Pick<SessionHost["view"], "state">;
  log: Pick<SessionHost["log"], "path">;
};

/** From the list there is to the one there shall be. Made when it is its turn. */
export type MakeChange = (before: readonly TodoPhase[]) => TodoChange;

export class TodoList {
  readonly #place: TodoPlace;
  /** How long closed tasks are shown, in seconds; negative is for ever. */
  readonly clearDelay: number;
  #hasUntoldEdit = false;
  #last: Promise<unknown> = Promise.resolve();
  #decoded: { from: unknown; phases: readonly TodoPhase[] } = { from: undefined, phases: [] };

  constructor(place: TodoPlace, { clearDelay = 0 }: { clearDelay?: number } = {}) {
    this.#place = place;
    this.clearDelay = clearDelay;
  }

  /** Without secrets: a call comes with those put back that it names, and the list is kept. */
  hidden({ op, ...rest }: TodoOp): TodoOp {
    return { ...this.#place.hide(rest), op };
  }

  get phases(): readonly TodoPhase[] {
    const from = this.#place.view.state.kept[TODO_ENTRY];
    if (from !== this.#decoded.from) {
      const phases = decodePhases((from as { phases?: unknown } | null | undefined)?.phases);
      this.#decoded = { from, phases };
    }
    return this.#decoded.phases;
  }

  /** Whether it outlives this process. */
  get storage(): "session" | "memory" {
    return this.#place.log.path === undefined ? "memory" : "session";
  }

  /** Whether a person has changed it and the model was not told; it is, from now on. */
  takeUntoldEdit(): boolean {
    const has = this.#hasUntoldEdit;
    this.#hasUntoldEdit = false;
    return has;
  }

  /** On disk when this resolves, unless it was refused. */
  change(make: MakeChange, by: "model" | "user"): Promise<TodoChange> {
    const turn = this.#last.then(() => this.#apply(make, by));
    // Who asked for it is told; the next one has its turn either way.
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #apply(make: MakeChange, by: "model" | "user"): Promise<TodoChange> {
    const place = this.#place;
    const change = make(this.phases);
    if (change.type === "refused") return change;
    const phases = decodePhases(
      change.phases.map(({ name, tasks }) => ({
        name: place.hide(name),
        tasks: tasks.map(({ content, status }) => ({ content: place.hide(content), status })),
      })),
    );
    if (isSameList(phases, this.phases)) return { type: "changed", phases };
    const entry = todoEntry(phases);
    // While a run is on, only the run itself may add to the conversation: the behaviour tells it.
    const isTold = by === "user" && !place.isBusy;
    await place.append(
      isTold ? [entry, toldEntry(USER_EDIT_ENTRY, editedByUser(phases))] : [entry],
    );
    if (by === "user") this.#hasUntoldEdit = !isTold;
    place.notify({ type: "todo_changed", phases });
    return { type: "changed", phases };
  }
}

/** What a session begins with that another one hands its open tasks over to. */
export function carriedEntries(phases: readonly TodoPhase[]): NewEntry[] {
  if (!currentTask(phases)) return [];
  return [todoEntry(phases), toldEntry(TODO_ENTRY, carriedOver(phases))];
}

function todoEntry(phases: readonly TodoPhase[]): NewEntry {
  return { type: "custom", customType: TODO_ENTRY, data: { phases } };
}

function toldEntry(customType: string, text: string): NewEntry {
  return {
    type: "custom_message",
    customType,
    content: [{ type: "text", text }],
    display: false,
    attribution: "agent",
  };
}
