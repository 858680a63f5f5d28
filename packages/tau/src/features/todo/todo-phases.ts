// What a todo list is: phases of tasks, in order. A list in its normal form has words that stand on
// one line and stand once, no empty phase, and one task in progress as long as any is open. Whatever
// changes a list ends here, so that nobody else has to wonder.

export const TODO_STATUSES = ["pending", "in_progress", "completed", "abandoned"] as const;
export type TodoStatus = (typeof TODO_STATUSES)[number];

export interface TodoTask {
  readonly content: string;
  readonly status: TodoStatus;
}

export interface TodoPhase {
  readonly name: string;
  readonly tasks: readonly TodoTask[];
}

/** Where tasks stand that nobody gave a phase. */
export const DEFAULT_PHASE = "Todos";

/** The list is said to the model again with every change; a longer one is a plan for a file. */
export const MAX_TASKS = 200;
/** UTF-16 units of a task or a phase's name: they are names, not descriptions. */
export const MAX_NAME_CHARS = 400;

/** As names are kept and compared: on one line. */
export function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, " ").trim();
}

/** Why these words cannot name a task or a phase; undefined where they can. */
export function problemWithName(name: string, what: "task" | "phase"): string | undefined {
  if (name === "") return `A ${what} needs words.`;
  if (name.length <= MAX_NAME_CHARS) return undefined;
  const start = name.slice(0, 40);
  return `The ${what} "${start}…" has ${name.length} characters; say it in at most ${MAX_NAME_CHARS}.`;
}

export const isOpen = ({ status }: TodoTask): boolean =>
  status === "pending" || status === "in_progress";

export function allTasks(phases: readonly TodoPhase[]): TodoTask[] {
  return phases.flatMap(({ tasks }) => tasks);
}

export interface CurrentTask {
  task: TodoTask;
  phase: TodoPhase;
}

export function currentTask(phases: readonly TodoPhase[]): CurrentTask | undefined {
  for (const phase of phases) {
    const task = phase.tasks.find(({ status }) => status === "in_progress");
    if (task) return { task, phase };
  }
  return undefined;
}

export function isSameList(a: readonly TodoPhase[], b: readonly TodoPhase[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** No empty phases; the first task in progress stays so, or the first open one begins. */
export function normalise(phases: readonly TodoPhase[]): TodoPhase[] {
  const all = allTasks(phases);
  const current =
    all.find(({ status }) => status === "in_progress") ??
    all.find(({ status }) => status === "pending");
  const statusOf = (task: TodoTask): TodoStatus => {
    if (!isOpen(task)) return task.status;
    return task === current ? "in_progress" : "pending";
  };
  return phases
    .filter(({ tasks }) => tasks.length > 0)
    .map(({ name, tasks }) => ({
      name,
      tasks: tasks.map((task) => ({ content: task.content, status: statusOf(task) })),
    }));
}

/** From the log, which another version may have written: what does not fit is passed over. */
export function decodePhases(value: unknown): TodoPhase[] {
  if (!Array.isArray(value)) return [];
  const phases = new Map<string, TodoTask[]>();
  const seen = new Set<string>();
  for (const phase of value as readonly unknown[]) {
    const { name, tasks } = fieldsOf(phase);
    if (!isName(name, "phase") || !Array.isArray(tasks)) continue;
    const kept = phases.get(oneLine(name)) ?? [];
    phases.set(oneLine(name), kept);
    for (const task of tasks as readonly unknown[]) {
      const { content, status } = fieldsOf(task);
      const known = TODO_STATUSES.find((one) => one === status);
      if (!known || !isName(content, "task") || seen.size >= MAX_TASKS) continue;
      if (seen.has(oneLine(content))) continue;
      seen.add(oneLine(content));
      kept.push({ content: oneLine(content), status: known });
    }
  }
  return normalise([...phases].map(([name, tasks]) => ({ name, tasks })));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function isName(value: unknown, what: "task" | "phase"): value is string {
  return typeof value === "string" && problemWithName(oneLine(value), what) === undefined;
}
