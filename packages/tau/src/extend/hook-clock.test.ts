// Whose time is measured: the extension's own, and not that of a person who thinks about its question.

import { expect, test } from "bun:test";
import { AskedTime } from "./asked-time.ts";
import { HookClock } from "./hook-clock.ts";

test("what a person takes to answer does not count", async () => {
  const clock = new HookClock();
  const person = new AskedTime();
  const idle = async (): Promise<void> => {
    await Bun.sleep(20);
    await person.during(() => Bun.sleep(300));
  };
  const watched = clock.watch("gate", { idle }, { person }).idle as typeof idle;
  await watched();
  const [row] = clock.of("gate");
  expect(row!.calls).toBe(1);
  expect(row!.totalMs).toBeGreaterThan(15);
  expect(row!.totalMs).toBeLessThan(250);
});
