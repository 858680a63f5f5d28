// A todo list as Markdown, for people to edit: a heading a phase, an item a task. What is written is
// read back as the same list.

import { applyTodoOps, type TodoChange, type TodoOp } from "./apply-todo-ops.ts";
import {
  DEFAULT_PHASE,
  normalise,
  oneLine,
  type TodoPhase,
  type TodoStatus,
} from "./todo-phases.ts";

export const SIGNS: Readonly<Record<TodoStatus, string>> = {
  pending: " ",
  in_progress: "/",
  completed: "x",
  abandoned: "-",
};

/** What people write besides, also in lists from elsewhere. */
const STATUSES: ReadonlyMap<string, TodoStatus> = new Map([
  [" ", "pending"],
  ["/", "in_progress"],
  [">", "in_progress"],
  ["x", "completed"],
  ["X", "completed"],
  ["-", "abandoned"],
  ["~", "abandoned"],
]);

const HEADING = /^ {0,3}#{1,6}[ \t]+(\S.*)$/s;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[(.)\][ \t]+)?(\S.*)$/su;
const COMMENT = /^\s*<!--.*-->\s*$/s;

export function toMarkdown(phases: readonly TodoPhase[]): string {
  return phases
    .map(({ name, tasks }) => {
      const items = tasks.map(({ content, status }) => `- [${SIGNS[status]}] ${content}`);
      return [`## ${name}`, "", ...items, ""].join("\n");
    })
    .join("\n");
}

export function fromMarkdown(text: string): TodoChange {
  const problems: string[] = [];
  const phases = new Map<string, string[]>();
  const statuses = new Map<string, TodoStatus>();
  let phase = DEFAULT_PHASE;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || COMMENT.test(line)) continue;
    const heading = HEADING.exec(line);
    if (heading) {
      phase = oneLine(heading[1]!);
      continue;
    }
    const item = ITEM.exec(line);
    const status = item && STATUSES.get(item[1] ?? " ");
    if (!item || !status) {
      problems.push(`Line ${at + 1} is neither a heading nor an item such as "- [ ] a task".`);
      continue;
    }
    const content = oneLine(item[2]!);
    const items = phases.get(phase) ?? [];
    items.push(content);
    phases.set(phase, items);
    statuses.set(content, status);
  }
  if (problems.length > 0) return { type: "refused", problems };
  return withStatuses(phases, statuses);
}

/** The rules for new lists hold for those of people too. */
function withStatuses(
  phases: ReadonlyMap<string, readonly string[]>,
  statuses: ReadonlyMap<string, TodoStatus>,
): TodoChange {
  if (phases.size === 0) return { type: "changed", phases: [] };
  const list = [...phases].map(([name, items]) => ({ phase: name, items }));
  const init: TodoOp = { op: "init", list };
  const made = applyTodoOps([], [init]);
  if (made.type === "refused") return made;
  const marked = made.phases.map(({ name, tasks }) => ({
    name,
    tasks: tasks.map(({ content }) => ({ content, status: statuses.get(content) ?? "pending" })),
  }));
  return { type: "changed", phases: normalise(marked) };
}
