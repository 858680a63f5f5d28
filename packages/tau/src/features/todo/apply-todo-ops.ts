// Operations on a todo list, as a model or a person gives them: in order, and all or none. One that
// makes no sense does not keep the others from being looked at, so that everything that is wrong is
// told at once; then nothing is changed.

import { suggest } from "../../base/suggest.ts";
import {
  MAX_TASKS,
  normalise,
  oneLine,
  problemWithName,
  type TodoPhase,
  type TodoStatus,
} from "./todo-phases.ts";

export const TODO_OPS = ["init", "start", "done", "drop", "rm", "append", "view"] as const;

export interface TodoOp {
  op: (typeof TODO_OPS)[number];
  /** For `init`. */
  list?: readonly { phase: string; items: readonly string[] }[] | undefined;
  task?: string | undefined;
  phase?: string | undefined;
  /** For `append`. */
  items?: readonly string[] | undefined;
}

export type TodoChange =
  { type: "changed"; phases: TodoPhase[] } | { type: "refused"; problems: string[] };

interface DraftTask {
  content: string;
  status: TodoStatus;
}

interface DraftPhase {
  name: string;
  tasks: DraftTask[];
}

export function applyTodoOps(before: readonly TodoPhase[], ops: readonly TodoOp[]): TodoChange {
  const draft = new TodoDraft(before);
  for (const op of ops) draft.apply(op);
  const { problems, phases } = draft;
  if (problems.length > 0) return { type: "refused", problems };
  return { type: "changed", phases: normalise(phases) };
}

class TodoDraft {
  readonly problems: string[] = [];
  phases: DraftPhase[];

  constructor(before: readonly TodoPhase[]) {
    this.phases = before.map(({ name, tasks }) => ({
      name,
      tasks: tasks.map((task) => ({ ...task })),
    }));
  }

  apply(op: TodoOp): void {
    switch (op.op) {
      case "init":
        return this.#init(op.list);
      case "start":
        return this.#start(op.task);
      case "done":
        return this.#close(op, "completed");
      case "drop":
        return this.#close(op, "abandoned");
      case "rm":
        return this.#remove(op);
      case "append":
        return this.#append(op.phase, op.items);
      case "view":
        return;
    }
  }

  #init(list: TodoOp["list"]): void {
    if (!list || list.length === 0) return this.#refuse("init needs list: phases with items.");
    const found = this.problems.length;
    const phases: DraftPhase[] = [];
    const names = new Set<string>();
    const contents = new Set<string>();
    for (const { phase, items } of list) {
      const name = oneLine(phase);
      if (names.has(name)) this.#refuse(`The phase "${name}" is in the list twice.`);
      names.add(name);
      this.#check(name, "phase");
      if (items.length === 0) this.#refuse(`The phase "${name}" has no items.`);
      phases.push({ name, tasks: this.#newTasks(items, contents) });
    }
    this.#checkCount(contents.size);
    if (this.problems.length === found) this.phases = phases;
  }

  #start(words: string | undefined): void {
    const target = this.#task(words, "start");
    if (!target) return;
    for (const task of this.#tasks()) {
      if (task.status === "in_progress") task.status = "pending";
    }
    target.status = "in_progress";
  }

  #close(op: TodoOp, status: TodoStatus): void {
    for (const task of this.#targets(op)) task.status = status;
  }

  #remove(op: TodoOp): void {
    const targets = new Set(this.#targets(op));
    for (const phase of this.phases) {
      phase.tasks = phase.tasks.filter((task) => !targets.has(task));
    }
  }

  #append(words: string | undefined, items: TodoOp["items"]): void {
    if (words === undefined) return this.#refuse("append needs phase.");
    if (!items || items.length === 0) return this.#refuse("append needs items.");
    const found = this.problems.length;
    const name = oneLine(words);
    this.#check(name, "phase");
    const contents = new Set(this.#tasks().map(({ content }) => content));
    const tasks = this.#newTasks(items, contents);
    this.#checkCount(contents.size);
    if (this.problems.length > found) return;
    const phase = this.phases.find((one) => one.name === name);
    if (phase) phase.tasks.push(...tasks);
    else this.phases.push({ name, tasks });
  }

  /** Those with new names, which are taken from now on. */
  #newTasks(items: readonly string[], taken: Set<string>): DraftTask[] {
    return items.map((item) => {
      const content = oneLine(item);
      if (taken.has(content)) this.#refuse(`The task "${content}" is in the list already.`);
      this.#check(content, "task");
      taken.add(content);
      return { content, status: "pending" };
    });
  }

  /** A task, all of a phase, or all there are. */
  #targets({ op, task, phase }: TodoOp): DraftTask[] {
    if (task !== undefined) {
      const found = this.#task(task, op);
      return found ? [found] : [];
    }
    if (phase === undefined) return this.#tasks();
    const name = oneLine(phase);
    const found = this.phases.find((one) => one.name === name && one.tasks.length > 0);
    if (found) return found.tasks;
    this.#missing(
      "phase",
      name,
      this.phases.map((one) => one.name),
    );
    return [];
  }

  #task(words: string | undefined, op: TodoOp["op"]): DraftTask | undefined {
    if (words === undefined) {
      this.#refuse(`${op} needs task.`);
      return undefined;
    }
    const content = oneLine(words);
    const found = this.#tasks().find((task) => task.content === content);
    if (!found) {
      this.#missing(
        "task",
        content,
        this.#tasks().map((task) => task.content),
      );
    }
    return found;
  }

  #tasks(): DraftTask[] {
    return this.phases.flatMap(({ tasks }) => tasks);
  }

  #missing(what: "task" | "phase", name: string, known: readonly string[]): void {
    // A name that nobody could have given is not worth comparing.
    const near = problemWithName(name, what) === undefined ? suggest(name, known) : undefined;
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    const empty = known.length === 0 ? " The list is empty: init makes one." : "";
    this.#refuse(`There is no ${what} "${name.slice(0, 80)}".${hint}${empty}`);
  }

  #check(name: string, what: "task" | "phase"): void {
    const problem = problemWithName(name, what);
    if (problem !== undefined) this.#refuse(problem);
  }

  #checkCount(count: number): void {
    if (count > MAX_TASKS) {
      this.#refuse(`${count} tasks are more than a list holds (${MAX_TASKS}); say it in fewer.`);
    }
  }

  #refuse(problem: string): void {
    this.problems.push(problem);
  }
}
