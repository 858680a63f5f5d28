// The panel above the prompt: a few rows whatever the list, none where there is nothing to do, and no
// timer but for something that is to vanish.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { colourlessTheme } from "@tau/tui/theme/built-in-theme";
import { displayWidth } from "@tau/tui/width";
import { TODO_STATUSES, decodePhases, type TodoPhase, type TodoStatus } from "./todo-phases.ts";
import { TodoPanel } from "./todo-panel.ts";

/** A panel whose time passes only when told. */
function panel(screenRows = 40) {
  let now = 1000;
  let renders = 0;
  let timer: { work: () => void; at: number } | undefined;
  const component = new TodoPanel({
    theme: colourlessTheme(),
    requestRender: () => renders++,
    screenRows: () => screenRows,
    now: () => now,
    schedule: (work, delayMs) => {
      timer = { work, at: now + delayMs };
      return () => {
        timer = undefined;
      };
    },
  });
  return {
    component,
    rows: (columns = 40) => component.render(columns).rows,
    get timerAt() {
      return timer?.at;
    },
    get renders() {
      return renders;
    },
    /** To the moment of the timer. */
    pass() {
      const { work, at } = timer!;
      timer = undefined;
      now = at;
      work();
    },
    wait(ms: number) {
      now += ms;
    },
  };
}

const phase = (name: string, ...tasks: [string, TodoStatus][]): TodoPhase => ({
  name,
  tasks: tasks.map(([content, status]) => ({ content, status })),
});
const here = { clearDelay: 60, from: "here" } as const;
const elsewhere = { clearDelay: 60, from: "elsewhere" } as const;

const BEGUN = [
  phase("Build", ["one", "in_progress"], ["two", "pending"], ["three", "pending"]),
  phase("Ship", ["tag", "pending"]),
];
const FIRST_DONE = [
  phase("Build", ["one", "completed"], ["two", "in_progress"], ["three", "pending"]),
  phase("Ship", ["tag", "pending"]),
];
const ALL_DONE = [
  phase("Build", ["one", "completed"], ["two", "completed"], ["three", "abandoned"]),
  phase("Ship", ["tag", "completed"]),
];

test("the phase at hand, the task at hand, and how much is behind it", () => {
  const { component, rows } = panel();
  expect(rows()).toEqual([]);
  component.set(BEGUN, elsewhere);
  expect(rows()).toEqual(["", "  Build 0 of 3", "  ● one", "  ○ two", "  ○ three", "  +1 more"]);
});

test("on a low screen there is a row for the task at hand", () => {
  const { component, rows } = panel(12);
  component.set(BEGUN, elsewhere);
  component.set(FIRST_DONE, here);
  expect(rows()).toEqual(["", "  Build 1 of 3", "  ● two", "  +2 more"]);
});

test("what was closed vanishes after a while; nothing ticks before and afterwards", () => {
  const watched = panel();
  const { component, rows } = watched;
  component.set(BEGUN, elsewhere);
  expect(watched.timerAt).toBeUndefined();
  component.set(FIRST_DONE, here);
  expect(rows().slice(1, 4)).toEqual(["  Build 1 of 3", "  ✓ one", "  ● two"]);
  expect(watched.timerAt).toBe(61_000);
  watched.wait(10_000);
  component.set(ALL_DONE, here);
  expect(rows()).toEqual(["", "  Ship 1 of 1", "  ✓ tag"]);
  // The first is still the first to go.
  expect(watched.timerAt).toBe(61_000);
  watched.pass();
  expect(watched.timerAt).toBe(71_000);
  expect(rows()).toEqual(["", "  Ship 1 of 1", "  ✓ tag"]);
  const before = watched.renders;
  watched.pass();
  expect(watched.renders).toBe(before + 1);
  expect(rows()).toEqual([]);
  expect(watched.timerAt).toBeUndefined();
});

test("a delay of nothing, and one without an end", () => {
  const watched = panel();
  const { component, rows } = watched;
  component.set(BEGUN, elsewhere);
  component.set(FIRST_DONE, { clearDelay: 0, from: "here" });
  expect(rows().slice(1, 3)).toEqual(["  Build 1 of 3", "  ● two"]);
  component.set(ALL_DONE, { clearDelay: -1, from: "elsewhere" });
  watched.wait(1e9);
  expect(rows()).toEqual(["", "  Ship 1 of 1", "  ✓ tag"]);
  expect(watched.timerAt).toBeUndefined();
});

test("what another session or place has closed was closed long ago", () => {
  const { component, rows } = panel();
  component.set(BEGUN, elsewhere);
  component.set(FIRST_DONE, elsewhere);
  expect(rows().slice(1, 3)).toEqual(["  Build 1 of 3", "  ● two"]);
  component.set(ALL_DONE, elsewhere);
  expect(rows()).toEqual([]);
});

test("law: a few rows that fit, whatever the list says", () => {
  const words = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.constantFrom("\x1b[31m日本語", "👩‍👩‍👧\u202e", "\x1b]0;title\x07"),
  );
  const task = fc.record({ content: words, status: fc.constantFrom(...TODO_STATUSES) });
  const lists = fc
    .array(fc.record({ name: words, tasks: fc.array(task, { maxLength: 12 }) }))
    .map(decodePhases);
  fc.assert(
    fc.property(lists, lists, fc.integer({ min: 1, max: 120 }), (first, second, columns) => {
      const { component, rows } = panel();
      component.set(first, elsewhere);
      component.set(second, here);
      const drawn = rows(columns);
      expect(drawn.length).toBeLessThanOrEqual(7);
      for (const row of drawn) {
        expect(displayWidth(row)).toBeLessThanOrEqual(columns);
        expect(row).not.toContain("\x1b");
      }
      expect(rows(columns)).toEqual(drawn);
    }),
  );
});
