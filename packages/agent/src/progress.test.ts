import { expect, test } from "bun:test";
import { Progress, UPDATE_INTERVAL_MS } from "./progress.ts";
import type { UpdateMode } from "./tool.ts";

function watched() {
  const told: [string, UpdateMode][] = [];
  return { told, progress: new Progress((text, mode) => told.push([text, mode])) };
}

const interval = (): Promise<void> => Bun.sleep(UPDATE_INTERVAL_MS + 20);

test("the first update is told at once, what follows together when the interval is over", async () => {
  const { told, progress } = watched();
  progress.update("a");
  expect(told).toEqual([["a", "append"]]);
  progress.update("b");
  progress.update("c");
  expect(told).toHaveLength(1);
  await interval();
  expect(told.slice(1)).toEqual([["bc", "append"]]);
  await interval();
  // A quiet interval later the next one is the first again.
  progress.update("d");
  expect(told.slice(2)).toEqual([["d", "append"]]);
  progress.close();
  expect(told).toHaveLength(3);
});

test("text after a new state is part of that state", () => {
  const { told, progress } = watched();
  progress.update("first");
  progress.update("50 %", "replace");
  progress.update("…");
  progress.close();
  expect(told.slice(1)).toEqual([["50 %…", "replace"]]);
});

test("closing tells what waits, and is the end of it", async () => {
  const { told, progress } = watched();
  progress.update("a");
  progress.update("b");
  progress.close();
  progress.update("late");
  progress.close();
  await interval();
  expect(told).toEqual([
    ["a", "append"],
    ["b", "append"],
  ]);
});

test("what waits is bounded: the latest of it is told", () => {
  const { told, progress } = watched();
  progress.update("first");
  for (let at = 0; at < 100; at++) progress.update(`${at}`.padEnd(1000, "."));
  progress.close();
  const [text] = told[1]!;
  expect(text).toHaveLength(16_384);
  expect(text).toEndWith("99".padEnd(1000, "."));
});

test("a call that is over keeps no process from ending", async () => {
  const script = `
    import { Progress } from ${JSON.stringify(`${import.meta.dir}/progress.ts`)};
    const timers = new Set();
    const set = globalThis.setTimeout;
    globalThis.setTimeout = (...args) => { const id = set(...args); timers.add(id); return id; };
    const clear = globalThis.clearTimeout;
    globalThis.clearTimeout = (id) => { timers.delete(id); clear(id); };
    const progress = new Progress(() => {});
    progress.update("a");
    progress.close();
    process.exit(timers.size === 0 ? 0 : 1);
  `;
  expect(await Bun.spawn([process.execPath, "-e", script]).exited).toBe(0);
});
