// The interface as one extension has it, over one that only remembers what it was told.

import { expect, test } from "bun:test";
import { NOBODY, type UserInterface } from "../feature-api/user-interface.ts";
import { AskedTime } from "./asked-time.ts";
import { ownedInterface } from "./owned-interface.ts";

function shared() {
  const statuses = new Map<string, string>();
  const widgets = new Map<string, unknown>();
  const asked: { from?: string; signal?: AbortSignal }[] = [];
  const failures: unknown[] = [];
  let title: string | undefined;
  const ui: UserInterface = {
    ...NOBODY,
    canAsk: true,
    canDraw: true,
    setStatus: (key, text) =>
      void (text === undefined ? statuses.delete(key) : statuses.set(key, text)),
    setWidget: (key, widget) =>
      void (widget === undefined ? widgets.delete(key) : widgets.set(key, widget)),
    setTitle: (words) => void (title = words),
    confirm: async (_title, _message, options = {}) => {
      asked.push(options);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      options.signal?.addEventListener("abort", () => resolve(false));
      return promise;
    },
  };
  const time = new AskedTime();
  const own = (name = "x") =>
    ownedInterface(ui, {
      name,
      asked: time,
      failed: (error) => failures.push(error),
      stopped: () => undefined,
    });
  return { ui, time, own, statuses, widgets, asked, failures, title: () => title };
}

test("keys of two extensions do not meet, and each goes with its own", () => {
  const { own, statuses, widgets, title } = shared();
  const [first, second] = [own("first"), own("second")];
  first.setStatus("key", "one");
  second.setStatus("key", "two");
  first.setWidget("key", ["row"]);
  first.setTitle("mine");
  expect([...statuses]).toEqual([
    ["first:key", "one"],
    ["second:key", "two"],
  ]);
  first[Symbol.dispose]();
  expect([...statuses.keys()]).toEqual(["second:key"]);
  expect(widgets.size).toBe(0);
  expect(title()).toBeUndefined();
});

test("the next session's is not taken away by the one before, whatever it still does", () => {
  const { own, statuses, widgets, title } = shared();
  const before = own();
  before.setStatus("key", "old");
  before.setWidget("key", ["old"]);
  before.setTitle("old");
  const next = own();
  next.setStatus("key", "new");
  next.setWidget("key", ["new"]);
  next.setTitle("new");
  before.setStatus("key", undefined);
  before.setWidget("key", undefined);
  before.setTitle(undefined);
  before[Symbol.dispose]();
  before.setStatus("late", "late");
  before.notify("late");
  expect([...statuses]).toEqual([["x:key", "new"]]);
  expect([...widgets]).toEqual([["x:key", ["new"]]]);
  expect(title()).toBe("new");
});

test("a question is asked in its name, and withdrawn when it goes", async () => {
  const { own, asked } = shared();
  const ui = own("gate");
  const answer = ui.confirm("Sure?", "");
  expect(asked[0]?.from).toBe("gate");
  ui[Symbol.dispose]();
  expect(await answer).toBe(false);
  expect(await ui.confirm("Again?", "")).toBe(false);
  expect(ui.canAsk).toBe(false);
  expect(asked).toHaveLength(1);
});

test("it is known while a question is open, and for how long it was", async () => {
  const { own, time } = shared();
  const ui = own();
  expect(time.isAsking).toBe(false);
  const both = [ui.confirm("One?", ""), ui.confirm("Two?", "")];
  await Bun.sleep(20);
  expect(time.isAsking).toBe(true);
  ui[Symbol.dispose]();
  await Promise.all(both);
  const taken = time.totalMs;
  await Bun.sleep(20);
  expect(time.isAsking).toBe(false);
  expect(taken).toBeGreaterThan(15);
  expect(time.totalMs).toBe(taken);
});

test("questions carry the extension's name, and whatever it gives becomes what a front-end expects", async () => {
  const { ui, own } = shared();
  const put: unknown[] = [];
  ui.questions = async (posed, options) => {
    put.push(posed, options?.from);
    return [{ selected: [0] }];
  };
  const given = { id: 1, question: 2, options: ["a", 3], multi: "yes", recommended: 9 };
  const mine = own("gate");
  expect(await mine.questions([given as never])).toEqual([{ selected: [0] }]);
  expect(put).toEqual([
    [{ id: "1", question: "2", options: ["a", "3"], multi: false, recommended: undefined }],
    "gate",
  ]);
  mine[Symbol.dispose]();
  expect(await mine.questions([given as never])).toBeUndefined();
  expect(put).toHaveLength(2);
});
