// The order of commands: as they came, no more than may wait, and work dropped on demand.

import { expect, test } from "bun:test";
import { CommandLane, type LaneTask } from "./command-lane.ts";

function lane() {
  const lines: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const made = new CommandLane();
  const push = (name: string, traits: Partial<LaneTask> = {}): boolean => {
    const gate = Promise.withResolvers<void>();
    gates.set(name, gate);
    return made.push({
      bytes: 1,
      isWork: false,
      order: "in_turn",
      run: async (signal) => {
        lines.push(`${name} begins`);
        signal.addEventListener("abort", () => gate.resolve());
        await gate.promise;
        lines.push(`${name} ${signal.aborted ? "is stopped" : "ends"}`);
      },
      drop: () => lines.push(`${name} is dropped`),
      ...traits,
    });
  };
  return { lane: made, lines, push, finish: (name: string) => gates.get(name)!.resolve() };
}

test("one after the other; beside does not hold the next one up", async () => {
  const { lane: made, lines, push, finish } = lane();
  push("a");
  push("b", { order: "beside" });
  push("c");
  expect(lines).toEqual(["a begins"]);
  for (const name of ["c", "a", "b"]) finish(name);
  await made.whenIdle();
  expect(lines.slice(0, 2)).toEqual(["a begins", "a ends"]);
  expect(lines.indexOf("c begins")).toBeLessThan(lines.indexOf("b ends"));
  await made.whenIdle();
});

test("work that waits is dropped, work that is on is told, the rest goes on", async () => {
  const { lane: made, lines, push, finish } = lane();
  push("on", { isWork: true });
  push("waiting", { isWork: true });
  push("other");
  made.dropWork();
  finish("other");
  await made.whenIdle();
  expect(lines).toEqual([
    "on begins",
    "waiting is dropped",
    "on is stopped",
    "other begins",
    "other ends",
  ]);
});

test("only so many may wait, and only so much", () => {
  const { push } = lane();
  push("on");
  let waiting = 0;
  while (push(`w${waiting}`)) waiting += 1;
  expect(waiting).toBe(256);
  const heavy = lane();
  heavy.push("on");
  expect(heavy.push("first", { bytes: 63 * 1024 * 1024 })).toBe(true);
  expect(heavy.push("second", { bytes: 2 * 1024 * 1024 })).toBe(false);
  expect(heavy.push("third", { bytes: 1024 })).toBe(true);
});
