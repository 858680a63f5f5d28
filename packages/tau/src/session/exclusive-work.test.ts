import { expect, test } from "bun:test";
import { ExclusiveWork } from "./exclusive-work.ts";
import { SessionBusy } from "./session-busy.ts";

function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve("stopped"), { once: true }),
  );
}

/** Begins the next piece of work as soon as one has ended, as mail does. */
function waking() {
  const begun: Promise<string>[] = [];
  const work: ExclusiveWork = new ExclusiveWork({
    posts: () => begun.length,
    begins: () => {},
    ended: () => {
      if (!work.isOn) begun.push(work.run(undefined, untilAborted));
    },
  });
  return { work, begun };
}

test("stopping waits for what runs, and not for what begins after it", async () => {
  const { work, begun } = waking();
  const first = work.run(undefined, untilAborted);
  await work.stop();
  expect(await first).toBe("stopped");
  expect([begun.length, work.isOn]).toEqual([1, true]);
  await expect(work.run(undefined, async () => "second")).rejects.toThrow(SessionBusy);
});

test("once it is closed nothing begins any more", async () => {
  const { work, begun } = waking();
  const first = work.run(undefined, untilAborted);
  await work.close();
  expect(await first).toBe("stopped");
  expect([begun.length, work.isOn]).toEqual([0, true]);
  await work.whenOver();
  await expect(work.run(undefined, async () => "late")).rejects.toThrow(SessionBusy);
});
