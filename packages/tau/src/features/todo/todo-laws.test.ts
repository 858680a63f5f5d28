// Laws of the todo list: whatever is done to it, it stays one; a batch takes effect as a whole or not
// at all; and what is written as Markdown or into the log is read back as it was.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { applyTodoOps, TODO_OPS, type TodoOp } from "./apply-todo-ops.ts";
import { fromMarkdown, toMarkdown } from "./todo-markdown.ts";
import {
  allTasks,
  decodePhases,
  isOpen,
  MAX_NAME_CHARS,
  MAX_TASKS,
  normalise,
  oneLine,
  TODO_STATUSES,
  type TodoPhase,
} from "./todo-phases.ts";

/** Few enough to meet each other, with some that look like something else. */
const name = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "c",
    " a\n",
    "d  e",
    "- [x] f",
    "# g",
    "[ ]",
    "<!-- h -->",
    "",
    "__proto__",
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const items = fc.array(name, { maxLength: 4 });
const op: fc.Arbitrary<TodoOp> = fc.record(
  {
    op: fc.constantFrom(...TODO_OPS),
    list: fc.array(fc.record({ phase: name, items }), { maxLength: 3 }),
    task: name,
    phase: name,
    items,
  },
  { requiredKeys: ["op"] },
);
const batch = fc.array(op, { minLength: 1, maxLength: 3 });
const status = fc.constantFrom(...TODO_STATUSES);
const task = fc.record({ content: name, status });
const anyPhases = fc.array(fc.record({ name, tasks: fc.array(task) }));
/** Any list that can come about. */
const list = fc
  .tuple(anyPhases, fc.array(batch, { maxLength: 8 }))
  .map(([phases, batches]) => batches.reduce(after, decodePhases(phases)));

function after(phases: TodoPhase[], ops: readonly TodoOp[]): TodoPhase[] {
  const change = applyTodoOps(phases, ops);
  return change.type === "changed" ? change.phases : phases;
}

function isNormal(phases: readonly TodoPhase[]): void {
  const tasks = allTasks(phases);
  const contents = tasks.map(({ content }) => content);
  const names = phases.map((phase) => phase.name);
  expect(new Set(contents).size).toBe(contents.length);
  expect(new Set(names).size).toBe(names.length);
  expect([...contents, ...names].every((words) => words !== "" && words === oneLine(words))).toBe(
    true,
  );
  expect(phases.every((phase) => phase.tasks.length > 0)).toBe(true);
  const current = tasks.filter(({ status }) => status === "in_progress");
  expect(current.length).toBe(tasks.some(isOpen) ? 1 : 0);
}

test("law: whatever is done, the list stays in its normal form", () => {
  fc.assert(fc.property(list, isNormal));
});

test("law: a batch with a mistake changes nothing, wherever the mistake stands", () => {
  const wrong: TodoOp = { op: "start", task: "nobody has this one, ever" };
  fc.assert(
    fc.property(list, batch, fc.nat(), (phases, ops, at) => {
      const before = structuredClone(phases);
      const place = at % (ops.length + 1);
      // A list that is begun anew behind it would not make it right.
      const change = applyTodoOps(phases, [...ops.slice(0, place), wrong, ...ops.slice(place)]);
      expect(change.type).toBe("refused");
      expect(phases).toEqual(before);
    }),
  );
});

test("law: decode(encode) is the same list, as Markdown and in the log", () => {
  fc.assert(
    fc.property(list, (phases) => {
      expect(fromMarkdown(toMarkdown(phases))).toEqual({ type: "changed", phases });
      expect(decodePhases(JSON.parse(JSON.stringify(phases)))).toEqual(phases);
      expect(normalise(phases)).toEqual(phases);
    }),
  );
});

test("law: whatever the log or a person's text holds, a list comes of it or a word on what is wrong", () => {
  fc.assert(
    fc.property(fc.anything(), fc.string({ unit: "binary" }), (value, text) => {
      isNormal(decodePhases(value));
      isNormal(
        decodePhases([{ name: text, tasks: [{ content: value, status: "pending" }, value] }]),
      );
      const change = fromMarkdown(text);
      if (change.type === "changed") isNormal(change.phases);
      else expect(change.problems.length).toBeGreaterThan(0);
    }),
  );
  fc.assert(fc.property(anyPhases, (value) => isNormal(decodePhases(value))));
});

const TWO: TodoOp = {
  op: "init",
  list: [
    { phase: "Build", items: ["parse", "print"] },
    { phase: "Ship", items: ["tag"] },
  ],
};
const shown = (phases: readonly TodoPhase[]): string =>
  phases
    .map(
      (phase) => `${phase.name}: ${phase.tasks.map((t) => `${t.content} ${t.status}`).join(", ")}`,
    )
    .join("; ");
const made = (...ops: TodoOp[]): string => shown(after([], [TWO, ...ops]));

test.each([
  [[], "Build: parse in_progress, print pending; Ship: tag pending"],
  [[{ op: "done", task: "parse" }], "Build: parse completed, print in_progress; Ship: tag pending"],
  [[{ op: "start", task: " tag " }], "Build: parse pending, print pending; Ship: tag in_progress"],
  [
    [{ op: "drop", phase: "Build" }],
    "Build: parse abandoned, print abandoned; Ship: tag in_progress",
  ],
  [
    [{ op: "done" }, { op: "start", task: "print" }],
    "Build: parse completed, print in_progress; Ship: tag completed",
  ],
  [[{ op: "rm", phase: "Build" }], "Ship: tag in_progress"],
  [[{ op: "rm" }], ""],
  [
    [{ op: "append", phase: "New", items: ["x"] }],
    "Build: parse in_progress, print pending; Ship: tag pending; New: x pending",
  ],
  [[{ op: "view" }], "Build: parse in_progress, print pending; Ship: tag pending"],
] satisfies [TodoOp[], string][])("%j", (ops, expected) => {
  expect(made(...ops)).toBe(expected);
});

test("everything that is wrong is told at once, with what was probably meant", () => {
  const change = applyTodoOps(
    [],
    [
      TWO,
      { op: "done", task: "prse" },
      { op: "rm", phase: "Test" },
      { op: "append", phase: "Ship", items: ["fresh", "parse"] },
      { op: "append", items: ["x"] },
      { op: "start" },
      { op: "init" },
      { op: "append", phase: "Ship", items: ["y".repeat(MAX_NAME_CHARS + 1)] },
      { op: "append", phase: "Ship", items: Array.from({ length: MAX_TASKS }, (_, at) => `${at}`) },
    ],
  );
  expect(change.type === "refused" && change.problems).toEqual([
    'There is no task "prse". Did you mean "parse"?',
    'There is no phase "Test".',
    'The task "parse" is in the list already.',
    "append needs phase.",
    "start needs task.",
    "init needs list: phases with items.",
    `The task "${"y".repeat(40)}…" has ${MAX_NAME_CHARS + 1} characters; say it in at most ${MAX_NAME_CHARS}.`,
    `${MAX_TASKS + 3} tasks are more than a list holds (${MAX_TASKS}); say it in fewer.`,
  ]);
  const empty = applyTodoOps([], [{ op: "done", task: "x" }]);
  expect(empty).toEqual({
    type: "refused",
    problems: ['There is no task "x". The list is empty: init makes one.'],
  });
});

test("lists of people: other signs, no heading, comments, and a word on lines that are none", () => {
  const text =
    "<!-- a hint -->\n- one\n* [X] two\n\n# Later\r\n1. [>] three\n+ [~] four\n# Todos\n- five";
  const change = fromMarkdown(text);
  expect(change.type === "changed" && shown(change.phases)).toBe(
    "Todos: one pending, two completed, five pending; Later: three in_progress, four abandoned",
  );
  expect(fromMarkdown("## A\njust words\n- [?] x")).toEqual({
    type: "refused",
    problems: [2, 3].map(
      (line) => `Line ${line} is neither a heading nor an item such as "- [ ] a task".`,
    ),
  });
  expect(fromMarkdown("- a\n- a")).toMatchObject({ type: "refused" });
  expect(fromMarkdown("\n")).toEqual({ type: "changed", phases: [] });
});
